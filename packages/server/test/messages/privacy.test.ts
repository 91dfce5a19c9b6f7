import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { ApiError, createApi } from '@parley/client';
import { type OperationName, operationNames } from '@parley/protocol';
import { openChannel } from '@parley/server/admin/channel.ts';
import { runAdmin } from '@parley/server/admin/command.ts';
import { systemClock } from '@parley/server/core/clock.ts';
import { Actor, createWorld, type TestSocket, unknownId, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import type { ReceivedFrame } from '@parley/testing/model/frame-chain.ts';
import { withPushes } from '@parley/testing/push/push-stage.ts';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { directScenes, everyOperation, type Scene } from '../helpers/every-operation.ts';
import { withRole } from '../helpers/roles.ts';
import { newSecret, privateParts, secretsIn, storedFiles, withoutGift } from '../helpers/secret-places.ts';
import { cast } from '../agents/settings-cast.ts';

test('ERR-7: a request for another account’s private data gets the same answer as one for data that does not exist', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const member = await world.member();
  const [session] = (await member.api.getSessions()).items;
  const { hello } = await member.socket();
  const answers = (calls: Promise<unknown>[]) => Promise.all(calls.map(failure));
  const [theirs, unknown] = await answers([
    alice.api.terminateSession({ session_id: session?.id ?? '' }),
    alice.api.terminateSession({ session_id: unknownId }),
  ]);
  expect(theirs).toEqual(unknown);
  const [theirSocket, unknownSocket] = await answers([
    alice.api.getUpdates({ since: 0, socket: hello.socket }),
    alice.api.getUpdates({ since: 0, socket: unknownId }),
  ]);
  expect(theirSocket).toEqual(unknownSocket);
  expect(theirs).toMatchObject({ status: 404 });
  expect(theirSocket).toMatchObject({ status: 404 });
});

test('AUTH-2: signIn gives the same answer to a wrong password, an unknown username, an agent and an account without a password', async () => {
  await using world = await createWorld();
  const member = await world.member('maria');
  await world.person('daniel');
  const names = [member.username, 'nobody', 'maria:provider_a', 'daniel', 'maria ', 'MARIA', 'parley:guide'];
  const visitor = new Actor(world, '', '');
  const answers = await Promise.all(
    names.map((username) => failure(visitor.api.signIn({ username, password: 'a wrong one' }))),
  );
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(answers[0]).toMatchObject({ status: 401, code: 'unauthenticated' });
});

test('ERR-6, HIST-3, HIST-7, MSG-6, MSG-7, PIN-2, CONV-8: a message of another conversation is 404', async () => {
  await using world = await createWorld();
  const { alice, bob, eve } = await world.people('alice', 'bob', 'eve');
  const secret = await world.direct(alice, bob);
  const { id: foreign } = await alice.api.sendMessage({ chat_id: secret.id, text: 'between us' });
  const { id: chat_id } = await world.group(eve);
  const { id: own } = await eve.api.sendMessage({ chat_id, text: 'mine' });
  const calls = (id: string): Promise<unknown>[] => [
    eve.api.getChatHistory({ chat_id, around: id }),
    eve.api.getChatHistory({ chat_id, after: id }),
    eve.api.getChatHistory({ chat_id, thread_root_id: id }),
    eve.api.sendMessage({ chat_id, text: 'x', reply_to_message_id: id }),
    eve.api.sendMessage({ chat_id, text: 'x', thread_root_id: id }),
    eve.api.sendMessage({ chat_id, text: 'x', channel_id: id }),
    eve.api.pinMessage({ chat_id, message_id: id }),
    eve.api.unpinMessage({ chat_id, message_id: id }),
    eve.api.markRead({ chat_id, message_id: id }),
    eve.api.stopRun({ chat_id, message_id: id }),
    eve.api.sendChatAction({ chat_id, action: 'typing', thread_root_id: id }),
  ];
  const ofForeign = await Promise.all(calls(foreign).map(failure));
  const ofUnknown = await Promise.all(calls(unknownId).map(failure));
  expect(ofForeign).toEqual(ofUnknown);
  for (const answer of ofForeign) expect(answer).toMatchObject({ status: 404 });
  expect(await eve.api.getMessages({ message_ids: [foreign, unknownId] })).toEqual({ items: [] });
  expect(await eve.api.deleteMessages({ message_ids: [foreign, unknownId, own] })).toEqual({ ids: [own] });
  expect(await eve.api.deleteMessagesForMe({ message_ids: [foreign, unknownId] })).toEqual({ ids: [] });
  expect((await bob.api.getChatHistory({ chat_id: secret.id })).items).toHaveLength(1);
});

test('LOG-13, GROUP-8: a removed account gets nothing more, on any socket or in any replay', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.group(alice, bob);
  const socket = await bob.socket();
  await alice.api.sendMessage({ chat_id, text: 'for both' });
  await alice.api.removeMember({ chat_id, username: 'bob' });
  await alice.api.sendMessage({ chat_id, text: 'for alice alone' });
  await world.settle();
  expect(socket.all('messageNew').map(({ content }) => content)).toEqual(['for both']);
  const { frames } = await bob.api.getUpdates({ since: 0 });
  expect(JSON.stringify(frames)).not.toContain('for ');
  expect(await bob.api.getChats()).toMatchObject({ items: [] });
});

/** The output of the admin command, run while the service runs. */
async function admin(world: World, args: string, input = ''): Promise<string> {
  let printed = '';
  const write = (text: string) => void (printed += text);
  const stdin = new PassThrough();
  stdin.end(input);
  const env = { DATA_DIR: world.dataDir };
  const code = await runAdmin(args.split(' '), {
    env,
    clock: systemClock,
    stdin,
    stdout: { write },
    stderr: { write },
  });
  expect({ code, printed }).toMatchObject({ code: 0 });
  return printed;
}

/** True if a call succeeds, false if it is refused. */
const isDone = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError) return false;
      throw error;
    },
  );

embeddedTest('the admin command')(
  'KEY-9, AUTH-5, AUTH-10, BOTCONF-15: a secret appears only in the reply that is meant to return it, and in no other reply, frame, log line, metric, page or file',
  { timeout: 120_000 },
  () => {
    const sealing = ['new', 'old'].map((id) => ({ id, bytes: randomBytes(32) }));
    const SECRETS_KEY = sealing.map(({ id, bytes }) => `${id}:${bytes.toString('base64')}`).join();
    return withPushes(
      async ({ world, keys }) => {
        const secrets = new Map<string, string | Buffer>([
          ...sealing.map(({ id, bytes }): [string, Buffer] => [`the ${id} sealing key`, bytes]),
          ...privateParts('VAPID_PRIVATE_PEM_BASE64', keys.env),
          ...privateParts('APNS_KEY_P8_BASE64', keys.env),
        ]);
        const secret = (what: string): string => {
          const text = newSecret(what);
          secrets.set(what, text);
          return text;
        };
        const heard: string[] = [];
        const shown: unknown[] = [];
        world.watcher = {
          begin: () => 0,
          read(_receiver, text) {
            const { rest, gift } = withoutGift(text);
            heard.push(rest);
            if (gift !== undefined) shown.push(gift);
            if (typeof gift === 'string') secrets.set(`token ${gift.slice(0, 6)} of answer ${heard.length}`, gift);
          },
        };
        const channel = await openChannel(world.service);
        const visitor = new Actor(world, '', '');
        const password = secret('password');
        await visitor.api.signUp({ username: 'vera', password });
        const vera = async () =>
          new Actor(world, 'vera', (await visitor.api.signIn({ username: 'vera', password })).token);
        const printed = [
          await admin(world, 'account create otto --password-stdin', secret('password that the admin made')),
          await admin(world, 'account reset-password otto --password-stdin', secret('password that the admin reset')),
        ];
        await showSettings(world, secret, shown);
        await callEverything(world, secret, { password, vera });
        await refuseSecrets(world, secret, password);
        await forgetPassword(world, secret);
        heard.push(await comeAndGo(world, secret));
        await world.settle();

        printed.push(await admin(world, `backup ${join(world.dataDir, 'backup.db')}`));
        await channel.close();
        const paths = ['/metrics', '/openapi.json', '/asyncapi.json', '/docs', '/readyz'];
        const pages = paths.map(async (path): Promise<[string, Buffer]> => {
          const response = await fetch(`${world.url}${path}`);
          return [path, Buffer.from(await response.arrayBuffer())];
        });
        const places: [string, Buffer][] = [
          ['replies and frames', Buffer.from(heard.join('\n'))],
          ['the log', Buffer.from(world.logs.map((line) => JSON.stringify(line)).join('\n'))],
          ['the admin command', Buffer.from(printed.join('\n'))],
          ...(await Promise.all(pages)),
          ...storedFiles(world),
        ];
        expect(places.map(([name]) => name)).toEqual(expect.arrayContaining(['parley.db', 'backup.db']));
        for (const [name, bytes] of places) expect([name, secretsIn(bytes, secrets)]).toEqual([name, []]);
        expect(places.find(([name]) => name === '/metrics')?.[1].includes('vera')).toBe(false);
        // Guard against a search through too few texts, or for too few secrets.
        expect(heard.length).toBeGreaterThan(1_000);
        expect(secrets.size).toBeGreaterThan(50);
        const tokens = shown.filter((gift) => typeof gift === 'string');
        expect(tokens.filter((token) => !/^(s|mb|i|v|p)_[\w-]{43}$/.test(token))).toEqual([]);
        expect(new Set(tokens).size).toBe(tokens.length);
      },
      { env: { SECRETS_KEY } },
    );
  },
);

type MakeSecret = (what: string) => string;

/** Sets secrets of an owner and another account, and keys that a vendor refuses and quotes; reads a run config. */
async function showSettings(world: World, secret: MakeSecret, shown: unknown[]): Promise<void> {
  const { ann, bob, bot, group, username } = await cast(world);
  await Promise.all([ann, bob, bot].map((one) => one.socket()));
  const provider = 'ann:provider_a';
  const ask = async () => {
    const { id } = await bob.api.sendMessage({ chat_id: group.id, text: `@${provider} hello` });
    await world.turnsEnded();
    return id;
  };
  await ann.api.addGroupAgent({ chat_id: group.id, agent_username: provider });
  const key = secret('key of an agent');
  await ann.api.setAgentKey({ provider: 'provider_a', api_key: key });
  world.providers.script(key, { status: 401, message: `bad key ${key}` }, { chunks: ['hello'] });
  await ask();
  await ask();
  const own = secret('own key for an agent');
  await bob.api.setMyBotConfig({ username: provider, secrets: { api_key: own } });
  world.providers.script(own, { status: 400, message: own }, { chunks: ['hello'] });
  await ask();
  await ask();
  expect([key, own].map((one) => world.providers.requestsOf(one).length)).toEqual([2, 2]);

  const ofOwner = secret('secret of the owner');
  await ann.api.setBotConfig({ username, secrets: { token: ofOwner } });
  expect((await bot.api.getRunConfig({ message_id: await ask() })).secrets).toEqual({ token: ofOwner });
  await bob.api.setMyBotConfig({ username, secrets: { token: secret('secret that was replaced') } });
  const ofBob = secret('secret of a user');
  await bob.api.setMyBotConfig({ username, secrets: { token: ofBob } });
  const message_id = await ask();
  expect((await (await bot.socket()).rpc('getRunConfig', { message_id })) as object).toMatchObject({
    secrets: { token: ofBob },
  });
  expect(shown).toEqual(expect.arrayContaining([{ token: ofOwner }, { token: ofBob }]));
  for (const one of [ann, bob, bot]) {
    await one.api.getMyBotConfig({ username });
    await one.api.getUpdates({ since: 0 });
  }
}

/** Calls every operation over HTTP and a socket, as participant, non-participant, bot and person with a session. */
async function callEverything(
  world: World,
  secret: MakeSecret,
  { password, vera }: { password: string; vera: () => Promise<Actor> },
): Promise<void> {
  const nextScene = await directScenes(world);
  let people = 0;
  const [newPassword, key] = [secret('password of newcomers'), secret('key of everybody')];
  const own: Partial<Record<OperationName, (scene: Scene) => Record<string, unknown>>> = {
    signUp: () => ({ username: `vera${(people += 1)}`, password: newPassword }),
    signIn: () => ({ username: 'vera', password }),
    setAgentKey: () => ({ provider: 'provider_b', api_key: key }),
    setBotConfig: ({ actors }) => ({ username: actors.bot.username, secrets: { [key]: key } }),
    setMyBotConfig: ({ actors }) => ({ username: actors.bot.username, secrets: { token: key } }),
  };
  const answers: Promise<boolean>[] = [];
  const sockets = new Map<Actor, TestSocket>();
  const socketOf = async (actor: Actor): Promise<TestSocket> => {
    let socket = sockets.get(actor);
    // Answers inline queries, so that their askers need not wait.
    const onFrame = ({ method, params }: ReceivedFrame) => {
      if (method !== 'events.inlineQuery') return;
      answers.push(isDone(actor.api.answerInlineQuery({ query_id: String(params['query_id']), results: ['one'] })));
    };
    if (!socket?.isOpen) sockets.set(actor, (socket = await actor.socket('', { onFrame })));
    return socket;
  };
  let [scene, withSession] = [await nextScene(), await vera()];
  for (const name of operationNames) {
    const { params, changes } = everyOperation[name];
    for (const role of ['stranger', 'member', 'keeper', 'bot', 'vera'] as const)
      for (const way of ['HTTP', 'socket'] as const) {
        const actor = role === 'vera' ? withSession : scene.actors[role];
        const socket = await socketOf(actor);
        const given = (own[name] ?? params)(scene);
        // The caller passes params of this operation.
        const api = actor.api as unknown as Record<OperationName, (input: object) => Promise<unknown>>;
        const done = await isDone(way === 'HTTP' ? api[name](given) : socket.rpc(name, given));
        if (done && changes) scene = await nextScene();
        if (name === 'signOut' && role === 'vera') withSession = await vera();
      }
  }
  expect(await Promise.all(answers)).toContain(true);
}

/** An account signs up, changes its password, exports its data and is deleted. Returns the export. */
async function comeAndGo(world: World, secret: MakeSecret): Promise<string> {
  const [first, second] = [secret('first password'), secret('second password')];
  const { token } = await new Actor(world, '', '').api.signUp({ username: 'walter', password: first });
  const { api } = new Actor(world, 'walter', token);
  const wrong = secret('password that is not walters');
  await api.setAgentKey({ provider: 'provider_a', api_key: secret('key of somebody who goes') });
  await failure(api.changePassword({ old_password: wrong, new_password: secret('password that is not taken') }));
  await api.changePassword({ old_password: first, new_password: second });
  const response = await fetch(world.url + (await api.exportMyData()).url);
  expect(response.status).toBe(200);
  const text = await response.text();
  await failure(api.deleteAccount({ password: wrong }));
  await api.deleteAccount({ password: second });
  return text;
}

/** An administrator makes a link with which a person sets a new password. */
async function forgetPassword(world: World, secret: MakeSecret): Promise<void> {
  const boss = await world.person('boss');
  await withRole(world, boss, 'owner');
  const visitor = new Actor(world, '', '');
  await visitor.api.signUp({ username: 'wilma', password: secret('forgotten password') });
  const { link } = await boss.api.resetPassword({ username: 'wilma' });
  await visitor.api.setPasswordByLink({ token: link.split('#')[1] ?? '', password: secret('password by a link') });
  const { link: unused } = await boss.api.resetPassword({ username: 'wilma' });
  expect(unused).not.toBe(link);
}

/** Calls with secrets in wrong fields. */
async function refuseSecrets(world: World, secret: MakeSecret, password: string): Promise<void> {
  const { api, ...someone } = await world.person('somebody_else');
  const socket = await new Actor(world, someone.username, someone.token).socket();
  const key = secret('key that is refused');
  const calls = [
    () => api.setAgentKey({ provider: 'provider_a', api_key: `${key}\n${key}` }),
    () => api.setAgentKey({ provider: key as 'provider_a', api_key: key }), // a value that the types forbid
    () => api.signIn({ username: 'vera', password: secret('wrong password') }),
    () => api.signIn({ username: password, password }),
    () => api.signUp({ username: 'vera', password: secret('password for a name that is taken') }),
    () => api.signUp({ username: 'newcomer', password: 'x'.repeat(1_025) + secret('password that is too long') }),
    () => socket.rpc('signIn', { username: 'Vera', password, device: password }),
    () => socket.rpc(key, { password }),
    () => createApi({ url: world.url, token: secret('token that is none') }).getMe(),
    () => new Actor(world, '', secret('token of no socket')).socket(),
  ];
  for (const call of calls) expect(await failure(call())).toBeInstanceOf(Error);
}
