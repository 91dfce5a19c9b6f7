import { type OperationName, operationNames } from '@parley/protocol';
import { Actor, createWorld, ManualClock, type World } from '@parley/testing';
import { withPushes } from '@parley/testing/push/push-stage.ts';
import { simulate } from '@parley/testing/simulation/simulate.ts';
import { trimLog } from '@parley/testing/stores/tend-log.ts';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { expect, vi } from 'vitest';
import type { UnitHandler } from '../../commits/unit-context.ts';
import { theService } from '../../calls/unit-queue.ts';
import { everything, nothing } from '../../commits/unit-locks.ts';
import { unavailable } from '../../core/errors.ts';
import { newToken, tokenHash } from '../../secrets/tokens.ts';
import { totpCode } from '../../secrets/totp.ts';
import { unitHandlers } from '../../service/unit-handlers.ts';
import { agentChat, keyedAgent } from '../helpers/agents.ts';
import { directScenes, everyOperation, roles } from '../helpers/every-operation.ts';
import { Backend } from '@parley/testing/world/backend.ts';
import { photo, upload } from '../helpers/file-stage.ts';
import { useGrant } from '../helpers/use-grant.ts';
import { tus } from '../helpers/tus-stage.ts';
import { readFiles, sendFile } from '../helpers/searched-files.ts';
import { readSources } from '../knowledge/library-stage.ts';
import { LockCoverage } from './lock-coverage.ts';
import { historyOf } from '../helpers/message-stage.ts';
import { Receiver } from '../webhooks/receiver.ts';

const locksTest = embeddedTest('triggers of SQLite note the rows that are written');
const coverage = new LockCoverage();
const { start: startStore } = coverage.store;

locksTest(
  'CLUSTER-51: the rows that each operation writes, for every role, are covered by its locks',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld({ startStore });
    const nextScene = await directScenes(world);
    let scene = await nextScene();
    for (const name of operationNames)
      for (const role of roles) {
        // The params are those of this operation.
        const calls = scene.actors[role].api as unknown as Record<OperationName, (params: unknown) => Promise<unknown>>;
        const { params, changes } = everyOperation[name];
        const isDone = await calls[name](params(scene)).then(
          () => true,
          () => false,
        );
        if (isDone && changes) scene = await nextScene();
      }
    expect([...coverage.uncovered]).toEqual([]);
  },
);

locksTest(
  'CLUSTER-51: the rows that simulated conversations write are covered by the locks of their units',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld({ startStore });
    for (const seed of [1, 2]) await simulate({ seed, operations: 300, world });
    await trimLog(world.service, 10);
    expect([...coverage.uncovered]).toEqual([]);
  },
);

locksTest(
  'CLUSTER-51: the rows of sessions, devices and retried replies are covered by the locks of their units',
  { tags: ['long'] },
  async () => {
    const clock = new ManualClock();
    await withPushes(
      async ({ world, push, pushed, aliceAndBob }) => {
        const { bob, chat_id, say } = await aliceAndBob({ status: 201 }, { status: 410 });
        await say('hello');
        await pushed();
        await say('are you there?');
        await pushed();
        await bob.api.registerPushToken({ platform: 'web', token: push.subscribe('another') });
        const last = await say('now?');
        await pushed();
        await bob.api.markRead({ chat_id, message_id: last.id });
        await clock.advance(5_000);

        const member = await world.member('mary');
        const [second, third] = [await world.signIn(member), await world.signIn(member)];
        const inApp = { sounds: true, vibrate: true, preview: true };
        await second.api.setDeviceNotificationPrefs({ enabled: true, in_app: inApp });
        await second.api.signOut();
        const { items } = await third.api.getSessions();
        const other = items.find(({ is_current }) => !is_current);
        await third.api.terminateSession({ session_id: other?.id ?? '' });
        await (await world.signIn(member)).api.terminateOtherSessions();
        await clock.advance(5_000);

        const alex = await world.person('alex');
        const { agent, chat } = await agentChat(world, alex);
        const cutOff = { chunks: ['nearly'], finish: 'max_tokens' };
        world.providers.script(agent.key, { chunks: ['half'], ending: 'error' }, cutOff, { chunks: [' whole'] });
        await alex.api.sendMessage({ chat_id: chat.id, text: '?' });
        await world.turnsEnded();
        const reply = (await historyOf(alex, chat.id)).at(-1);
        const again = await alex.api.retryReply({ message_id: reply?.id ?? '' });
        await world.turnsEnded();
        await alex.api.continueReply({ message_id: again.id });
        await world.turnsEnded();
        await alex.api.chooseVersion({ message_id: reply?.id ?? '' });
        for (const text of ['1', '2', '3', '4', '5', '6'])
          await alex.api.sendMessage({ chat_id: chat.id, text: text + 'x'.repeat(9_000) });
        await world.turnsEnded();
        // A title that the model makes.
        world.providers.script(agent.key, { chunks: ['Where Rome is'] });
        const { id: separate } = await alex.api.startChat({ username: agent.username, new: true });
        await alex.api.sendMessage({ chat_id: separate, text: 'Where is Rome?' });
        await world.turnsEnded();
        expect((await alex.api.getChat({ chat_id: separate })).title).toBe('Where Rome is');
        const bot = await world.bot(alex);
        const zoe = await world.person('zoe');
        const { id: group } = await world.group(alex);
        await alex.api.addMembers({ chat_id: group, usernames: [zoe.username] });
        await alex.api.addGroupAgent({ chat_id: group, agent_username: bot.username });
        const follower = { chat_id: group, agent_username: bot.username };
        await alex.api.setGroupAgentMode({ ...follower, always_on: false, follows_threads: true });
        const { id: thread_root_id } = await alex.api.sendMessage({ chat_id: group, text: 'a thread' });
        await zoe.api.sendMessage({ chat_id: group, text: `@${bot.username}`, thread_root_id });
        await zoe.api.dismissAgent({ ...follower, thread_root_id });
        await zoe.api.setPrivacy({ read_receipts: false });
        await zoe.api.setStatus({ text: 'away' });
        const { id: file_id } = await upload(zoe, await photo('png'));
        const uploads = tus(world, zoe);
        const begun = await uploads.begin(4);
        await uploads.patch(begun, 0, 'ab');
        await uploads.patch(begun, 2, 'cd');
        await uploads.ask('DELETE', await uploads.begin(4));
        const backend = await Backend.make(world, alex.username);
        const shopper = { chat_ids: [group], agent_username: bot.username };
        await backend.createToken('7', shopper);
        await backend.createToken('7', { ...shopper, display_name: 'Shopper' });
        await backend.deleteUser('7');
        await zoe.api.createEmoji({ name: 'party', file_id });
        await zoe.api.deleteEmoji({ name: 'party' });
        const { id: avatar_file_id } = await upload(alex, await photo('png'));
        await alex.api.setChatAvatar({ chat_id: group, avatar_file_id });
        await alex.api.setChatAvatar({ chat_id: group, avatar_file_id: null });
        const poll = { question: 'Rome?', options: ['yes', 'no'] };
        const { id: message_id } = await alex.api.sendMessage({ chat_id: group, text: '', poll });
        for (const voter of [alex, zoe]) await voter.api.votePoll({ message_id, options: [0] });
        await clock.advance(5_000);
        await world.settle();
        for (const chat_id of [group, separate]) await alex.api.setChatState({ chat_id, is_pinned: true });
        await alex.api.orderPinnedChats({ chat_ids: [group, separate] });
        await alex.api.setInboxDone({ through_position: Number.MAX_SAFE_INTEGER });
        const shown = await bot.api.sendMessage({ chat_id: group, text: '{% button action="vote:yes" /%}' });
        await zoe.api.sendComponentAction({ chat_id: group, message_id: shown.id, action: 'vote:yes' });
        // Decisions: decided, withdrawn, private and deleted, and expired.
        const options = [{ id: 'yes', label: 'Yes' }];
        const ask = (more: object = {}) => zoe.api.askDecision({ chat_id: group, text: 'Rome?', options, ...more });
        await alex.api.decide({ decision_id: (await ask()).id, option: 'yes' });
        await zoe.api.withdrawDecision({ decision_id: (await ask({ expires_in: 600 })).id });
        const hidden = await ask({ deciders: [alex.username], private: true, thread_root_id });
        await zoe.api.deleteMessages({ message_ids: [hidden.id] });
        await ask({ expires_in: 10 });
        // Messages for later: changed, cancelled, sent at once, sent when due, and refused then.
        const soon = () => new Date(clock.now() + 60_000).toISOString();
        const later = (text: string) => alex.api.scheduleMessage({ chat_id: group, text, send_at: soon() });
        const [changed, cancelled] = [await later('changed'), await later('cancelled')];
        await later('due');
        await alex.api.editScheduledMessage({ chat_id: group, scheduled_id: changed.id, text: 'changed and longer' });
        await alex.api.sendScheduledMessage({ chat_id: group, scheduled_id: changed.id });
        await alex.api.cancelScheduledMessage({ chat_id: group, scheduled_id: cancelled.id });
        await zoe.api.scheduleMessage({ chat_id: group, thread_root_id, text: 'too late', send_at: soon() });
        const reminder = await zoe.api.remindMe({ message_id: shown.id, remind_at: soon() });
        await zoe.api.cancelReminder({ reminder_id: reminder.id });
        // Schedules: run at once, paused, deleted, run when due, and refused then.
        const each = (more: object = {}) =>
          alex.api.createSchedule({ chat_id: group, text: 'again', when: { at: soon() }, ...more });
        const [rested, dropped] = [await each(), await each()];
        await alex.api.runSchedule({ schedule_id: rested.id });
        await alex.api.pauseSchedule({ schedule_id: rested.id, paused: true });
        await alex.api.deleteSchedule({ schedule_id: dropped.id });
        await each();
        await each({ thread_root_id });
        await alex.api.deleteMessages({ message_ids: [thread_root_id] });
        for (let minute = 0; minute < 2; minute += 1) {
          await clock.advance(60_000);
          await world.settle();
        }
        // A reply with a price, which nearly uses up all budgets.
        const agent_username = agent.username;
        const budgets = { monthly_token_cap: 100_000, group_monthly_tokens: 1, asker_daily_tokens: 70_000 };
        await alex.api.setBotConfig({ username: agent_username, ...budgets });
        await alex.api.addGroupAgent({ chat_id: group, agent_username });
        world.providers.script(agent.key, { chunks: ['dear'], usage: { input: 99_000, output: 1 } });
        await zoe.api.sendMessage({ chat_id: group, text: `@${agent_username}` });
        await world.turnsEnded();
        expect((await alex.api.getUsage()).items.at(-1)).toMatchObject({ prices: [{ micros: 99_002 }] });
        await transcribed(world, alex);
        // Schedules that ended long ago are deleted.
        clock.step(31 * 86_400_000);
        await clock.advance(60_000);
        await world.settle();
      },
      {
        clock,
        startStore,
        env: {
          PROVIDER_A_MODEL: 'm',
          AGENT_PRICES: '{"currency":"USD","models":{"m":{"input":1,"output":2}}}',
        },
      },
    );
    expect([...coverage.uncovered]).toEqual([]);
  },
);

locksTest(
  'CLUSTER-51: the rows of webhook subscriptions are covered by the locks of their units',
  { tags: ['long'] },
  async () => {
    await using receiver = await Receiver.start();
    const clock = new ManualClock();
    await using world = await createWorld({ clock, startStore, env: receiver.env });
    const { ann, bob } = await world.people('ann', 'bob');
    const { id: chat_id } = await world.group(ann, bob);
    const { id: subscription_id, seq: from_seq } = await ann.api.createWebhookSubscription({
      url: receiver.origin,
      events: ['messageNew'],
    });
    await bob.api.sendMessage({ chat_id, text: 'one' });
    // The delay after the failure has jitter: the last round is later than it can be.
    for (const status of [500, 204, 204]) {
      receiver.answer = (response) => response.writeHead(status).end();
      await world.settle();
      await clock.advance(5_000);
      await world.settle();
    }
    await ann.api.replayWebhook({ subscription_id, from_seq });
    await ann.api.deleteWebhookSubscription({ subscription_id });
    expect([...coverage.uncovered]).toEqual([]);
  },
);

locksTest('TOKEN-17: a token for a user who is already as the backend says delays no other unit', async () => {
  await using world = await createWorld({ startStore });
  const team = await world.person('team');
  const backend = await Backend.make(world, team.username, 'shop');
  const { id: chat_id } = await team.api.startChat({ usernames: [], title: 'Help' });
  const claims = { display_name: 'Ann', chat_ids: [chat_id], agent_username: 'parley:guide' };
  const sign = await trustedSigner(world, backend.name);
  const exchange = async (name: string) =>
    new Actor(world, '', '').api.exchangeUserToken({ jwt: await sign({ ...claims, sub: '7', name }) });
  const opened = async (open: () => Promise<unknown>) => {
    const before = coverage.alone.length;
    await open();
    return coverage.alone.slice(before).filter((name) => name.endsWith('UserToken'));
  };
  expect(await opened(() => backend.createToken('7', claims))).toEqual(['createUserToken']);
  expect(await opened(() => backend.createToken('7', claims))).toEqual([]);
  expect(await opened(() => exchange('Ann'))).toEqual([]);
  expect(await opened(() => exchange('Ann Lee'))).toEqual(['exchangeUserToken']);
  const { id: another } = await team.api.startChat({ usernames: [], title: 'News' });
  const joining = { ...claims, display_name: 'Ann Lee', chat_ids: [chat_id, another] };
  expect(await opened(() => backend.createToken('7', joining))).toEqual(['createUserToken']);
  expect(await opened(() => backend.createToken('7', joining))).toEqual([]);
  // The user's name has changed since this call found that it had nothing to change.
  const [user] = await world.sql<{ account_key: number }>('SELECT account_key FROM backend_users');
  const stale = { keyHash: tokenHash(backend.key), token: newToken('s_'), settled: user?.account_key };
  const late = world.service.units.run('createUserToken', theService, { external_id: '7', ...claims }, 0, {
    prepared: stale,
  });
  await expect(late).rejects.toMatchObject({ code: 'unavailable' });
  expect([...coverage.uncovered]).toEqual([]);
});

locksTest('CLUSTER-51: one statement stores the keys of a backend that were fetched', async () => {
  await using world = await createWorld({ startStore });
  await world.person('team');
  await Backend.make(world, 'team', 'shop');
  const url = 'https://shop.example/jwks';
  await trustedSigner(world, 'shop', url);
  const keys = { backendKey: 1, url, jwks: '{}', fetchedAt: 1 };
  await world.service.units.run('keepBackendKeys', theService, keys, 1);
  expect(await world.sql('SELECT jwks FROM backends')).toEqual([{ jwks: '{}' }]);
  expect([...coverage.uncovered]).toEqual([]);
});

locksTest('CLUSTER-51: a file is read for the search by the node that claimed it', { tags: ['long'] }, async () => {
  await using world = await createWorld({ startStore, clock: new ManualClock() });
  const ann = await world.person('ann');
  const { id: chat_id } = await world.direct(ann, ann);
  await sendFile(ann, chat_id, 'read');
  await readFiles(world);
  await sendFile(ann, chat_id, 'fetched later');
  const read = vi.spyOn(world.service.files.storage, 'read').mockRejectedValueOnce(unavailable('away'));
  await world.service.files.texts.tend();
  read.mockRestore();
  expect([...coverage.uncovered]).toEqual([]);
});

locksTest('CLUSTER-51: sources of a library are read by the node that claimed them', { tags: ['long'] }, async () => {
  await using world = await createWorld({ startStore, clock: new ManualClock() });
  const { ann } = await world.people('ann');
  const username = 'ann:provider_a';
  const add = async (text: string) => {
    const { id: file_id } = await upload(ann, text, `${text}.txt`);
    return ann.api.addAgentSource({ username, file_id });
  };
  const { id: source_id } = await add('read');
  await readSources(world);
  await ann.api.setAgentSource({ source_id, title: 'Read', open: true });
  await ann.api.readAgentSource({ source_id });
  const read = vi.spyOn(world.service.files.storage, 'read').mockRejectedValueOnce(unavailable('away'));
  await world.service.library.tend();
  read.mockRestore();
  await ann.api.removeAgentSource({ source_id });
  await add('kept');
  await readSources(world);
  await ann.api.deleteAccount({ password: 'correct horse battery staple' }).catch(() => undefined);
  expect([...coverage.uncovered]).toEqual([]);
});

/** A backend's private key, whose JWTs the service trusts from now on. */
async function trustedSigner(
  world: World,
  name: string,
  jwksUrl: string | null = null,
): Promise<(claims: JWTPayload) => Promise<string>> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const [issuer, audience] = [`https://${name}.example`, 'parley'];
  const jwks = JSON.stringify({ keys: [await exportJWK(publicKey)] });
  await world.service.units.run(
    'setBackendIssuer',
    theService,
    { name, owner: null, issuer, audience, jwks, jwksUrl },
    0,
  );
  return (claims) =>
    new SignJWT({ iss: issuer, aud: audience, ...claims })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuedAt()
      .setExpirationTime('10 minutes')
      .sign(privateKey);
}

/** A voice message in a direct chat, which the agent transcribes before it answers. */
async function transcribed(world: World, who: Actor): Promise<void> {
  const { username, key } = await keyedAgent(world, who, 'provider_b');
  world.providers.script(key, { chunks: ['heard'] });
  const { id: chat_id } = await who.api.startChat({ username });
  const { id } = await upload(who, Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0'.padEnd(28, '\0') + 'OpusHead'), 'a.ogg');
  await who.api.sendMessage({ chat_id, text: '', attachments: [{ id, duration_ms: 1 }] });
  await world.turnsEnded();
  expect(world.providers.requestsOf(key)).toHaveLength(2);
}

locksTest(
  'CLUSTER-51: the rows of access tokens in use are covered by the locks of their units',
  { tags: ['long'] },
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ startStore, clock });
    const ann = await world.person('ann');
    const { id, token } = await ann.api.createAccessToken({ name: 'a script', scopes: ['read'] });
    await new Actor(world, ann.username, token).api.getMe();
    await clock.advance(2_000);
    await world.settle();
    await ann.api.revokeAccessToken({ id });
    await useGrant(world, ann);
    expect([...coverage.uncovered]).toEqual([]);
  },
);

locksTest(
  'CLUSTER-51: the rows of second factors are covered by the locks of their units',
  { tags: ['long'] },
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ startStore, clock });
    const { api } = await world.signIn(await world.member('fay'));
    const password = 'correct horse battery staple';
    const { secret } = await api.startSecondFactor({ password });
    const shown = async () => {
      await clock.advance(30_000);
      return totpCode(secret, Math.floor(clock.now() / 30_000));
    };
    await api.confirmSecondFactor({ code: await shown() });
    await api.createRecoveryCodes({ code: await shown() });
    await api.removeSecondFactor({ password, code: await shown() });
    expect([...coverage.uncovered]).toEqual([]);
  },
);

/** Of turns with tools, and of sign-ins at issuers: their tests are in test/hands and test/organization. */
const elsewhere = [
  'beginOidc',
  'beginPicture',
  'endCodeCall',
  'keepPicture',
  'claimOidc',
  'endPicture',
  'exchangeSignIn',
  'admitStep',
  'askCalls',
  'askForCall',
  'beginCall',
  'endCall',
  'pauseCall',
  'remindForCall',
  'rememberForCall',
  'forgetForCall',
  'createNote',
  'updateNote',
  'deleteNote',
  'revokeToolGrant',
  'shareToolCall',
  'storeStep',
  'takeOidc',
];
/** Units that only read, and those that write nothing in these tests. */
const [reading, notPlayed] = [
  ['listAccountSessions', 'showHouseAgent', 'listBackends', 'pushAlert'],
  ['attachPreview', 'forgetPreviews', 'keepPreview', 'takeOverPushes', 'trimScopes'],
];

locksTest(
  'CLUSTER-51: every unit that declares its locks has written rows in the tests above',
  { tags: ['long'] },
  () => {
    const own = [...unitHandlers].filter(([, { locks }]) => locks !== everything).map(([name]) => name);
    expect(own.filter((name) => !coverage.written.has(name)).toSorted()).toEqual(
      [...reading, ...notPlayed, ...elsewhere].toSorted(),
    );
  },
);

locksTest('CLUSTER-51: a row that is written without its lock is found', async () => {
  const handlers = new Map(unitHandlers);
  const pin = unitHandlers.get('pinMessage');
  const handle: UnitHandler = (call, input, prepared) => pin?.(call, input, prepared);
  handlers.set('pinMessage', Object.assign(handle, { locks: nothing }));
  const broken = new LockCoverage(handlers);
  await using world = await createWorld({ startStore: broken.store.start });
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.group(alice, bob);
  const { id: message_id } = await alice.api.sendMessage({ chat_id, text: 'a message' });
  await alice.api.pinMessage({ chat_id, message_id });
  expect([...broken.uncovered]).toContain('pinMessage: INSERT pins');
});
