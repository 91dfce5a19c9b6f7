import { ApiError } from '@parley/client';
import { dispatch } from '@parley/server/calls/dispatch.ts';
import { theService } from '@parley/server/calls/unit-queue.ts';
import { type Actor, createWorld, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { SteeredStore } from '@parley/testing/stores/steered-store.ts';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test } from 'vitest';
import { filePart, FORM_TYPE, formBody, storedNames } from '../helpers/file-stage.ts';
import { allOn } from '../notifications/notification-prefs.ts';
import { HOST, RawConnection, withHead } from '../helpers/raw-http.ts';
import { rowsIn } from '../helpers/rows-in.ts';

const password = 'correct horse battery staple';
const refused = { status: 401, code: 'unauthenticated' };

/** Calls of a person, by operation, that would store something. */
async function deedsOf(world: World, anna: Actor) {
  const { ben } = await world.people('ben');
  const { id: chat_id } = await world.direct(anna, ben);
  const { id: message_id } = await ben.api.sendMessage({ chat_id, text: 'hello' });
  const { id: group } = await world.group(ben);
  const { token } = await ben.api.createInvite({ chat_id: group });
  return [
    ['createBot', { slug: 'late', display_name: 'late' }],
    ['startChat', { usernames: ['ben'], title: 'late' }],
    ['startChat', { username: 'anna' }],
    ['sendMessage', { chat_id, text: 'late' }],
    ['setMessageReaction', { message_id, emoji: '👍' }],
    ['joinChat', { token }],
    ['setAgentKey', { provider: 'provider_a', api_key: 'sk-of-anna-1234' }],
    ['saveDraft', { chat_id, text: 'late' }],
    ['blockUser', { username: 'ben' }],
    ['pinMessage', { chat_id, message_id }],
    ['setChatNotifications', { chat_id, is_muted: true }],
    ['setNotificationPrefs', { ...allOn, message_preview: false }],
    ['deleteMessagesForMe', { message_ids: [message_id] }],
    ['updateProfile', { bio: 'late' }],
  ] as const;
}

/** Number of rows in every table that these calls write. */
const written = async (world: World): Promise<Record<string, number>> =>
  Object.fromEntries(
    await Promise.all(
      [
        'accounts',
        'bots',
        'chats',
        'participants',
        'messages',
        'reactions',
        'agent_secrets',
        'drafts',
        'blocks',
        'pins',
      ]
        .concat(['notification_prefs', 'hidden', 'accounts WHERE bio IS NOT NULL', 'participants WHERE is_muted = 1'])
        .map(async (table) => [table, await rowsIn(world, table)] as const),
    ),
  );

/** Calls an operation as a transport does after it has authenticated the caller. */
async function authenticated({ service }: World, { token }: Actor) {
  const caller = await service.authenticator.authenticate(token);
  return (name: Parameters<typeof dispatch>[1], params: object) =>
    dispatch(service, name, params, { caller, address: '127.0.0.1' });
}

test('AUTH-18: requests that a socket sends after its deleteAccount change nothing', async () => {
  await using world = await createWorld();
  const anna = await world.member('anna');
  const deeds = await deedsOf(world, anna);
  const before = await written(world);
  const socket = await anna.socket();
  const leaving = socket.rpc('deleteAccount', { password });
  const answers: unknown[] = [];
  for (const [name, params] of deeds)
    socket.rpc(name, params).then(
      () => answers.push(name),
      (error: unknown) => error instanceof ApiError && error.code !== 'unauthenticated' && answers.push(error.message),
    );
  await leaving;
  await socket.closed;
  await world.settle();
  expect(answers).toEqual([]);
  expect(await written(world)).toEqual(before);
  expect(await rowsIn(world, "accounts WHERE username LIKE 'anna%' AND deleted_at IS NULL")).toBe(0);
});

test('AUTH-18: calls that were authenticated before the deletion and run after it change nothing', async () => {
  await using world = await createWorld();
  const anna = await world.member('anna');
  const bot = await world.bot(anna);
  const deeds = await deedsOf(world, anna);
  const [asAnna, asBot] = [await authenticated(world, anna), await authenticated(world, bot)];
  await anna.api.deleteAccount({ password });
  const before = await written(world);
  for (const [name, params] of deeds) {
    // setAgentKey looks its agent up before it seals the key, so it fails with another error.
    const code = name === 'setAgentKey' ? 'not_found' : 'unauthenticated';
    expect([name, await failure(asAnna(name, params))]).toMatchObject([name, { code }]);
  }
  for (const [name, params] of [
    ['startChat', { username: 'ben' }],
    ['updateProfile', { bio: 'late' }],
  ] as const)
    expect([name, await failure(asBot(name, params))]).toMatchObject([name, { code: 'unauthenticated' }]);
  expect(await written(world)).toEqual(before);
});

test('AUTH-18: a deleted bot can no longer act; its owner can', async () => {
  await using world = await createWorld();
  const anna = await world.member('anna');
  const bot = await world.bot(anna);
  const { id: chat_id } = await world.direct(anna, bot);
  const asBot = await authenticated(world, bot);
  const deletion = anna.api.deleteBot({ username: bot.username });
  await deletion;
  for (const [name, params] of [
    ['updateProfile', { bio: 'late' }],
    ['startChat', { username: 'anna' }],
    ['sendMessage', { chat_id, text: 'late' }],
  ] as const)
    expect([name, await failure(asBot(name, params))]).toMatchObject([name, { code: 'unauthenticated' }]);
  await anna.api.createBot({ slug: 'other', display_name: 'other' });
});

test('AUTH-18, ADMIN-4: a disabled account and its bots cannot act until it is enabled again', async () => {
  await using world = await createWorld();
  const anna = await world.member('anna');
  const bot = await world.bot(anna);
  const both = [await authenticated(world, anna), await authenticated(world, bot)];
  const disable = (isDisabled: boolean) =>
    world.service.units.run('switchAccount', theService, { username: 'anna', isDisabled }, Date.now());
  const disabled = disable(true);
  for (const call of both)
    expect(await failure(call('updateProfile', { bio: 'late' }))).toMatchObject({ code: 'unauthenticated' });
  await disabled;
  await disable(false);
  for (const call of both) await call('updateProfile', { bio: 'again' });
  expect(await rowsIn(world, "accounts WHERE bio = 'again'")).toBe(2);
});

test('AUTH-18, STORE-4: an account whose deletion could not be stored can still act', async () => {
  const store = new SteeredStore();
  await using world = await createWorld({ startStore: store.start, expectsErrors: true });
  const anna = await world.member('anna');
  store.failCommits(true);
  expect(await failure(anna.api.deleteAccount({ password }))).toMatchObject({ status: 503 });
  store.failCommits(false);
  await anna.api.updateProfile({ bio: 'still here' });
  await anna.api.deleteAccount({ password });
  await expect(anna.api.updateProfile({ bio: 'late' })).rejects.toMatchObject(refused);
});

test('AUTH-18: the token of a deleted owner’s bot is invalid, whatever the bot’s own row says', async () => {
  await using world = await createWorld();
  const anna = await world.member('anna');
  const bot = await world.bot(anna);
  await bot.api.getMe();
  await world.sql("UPDATE accounts SET deleted_at = 1 WHERE username = 'anna'");
  await expect(bot.api.getMe()).rejects.toMatchObject(refused);
});

test('AUTH-18, PEOPLE-8, FILE-2: an upload in progress when its account is deleted is not stored', async () => {
  await using world = await createWorld();
  const anna = await world.member('anna');
  const body = formBody([filePart(Buffer.alloc(50_000, 'x'))]);
  const head = `${HOST}authorization: Bearer ${anna.token}\r\n${FORM_TYPE}content-length: ${body.length}\r\n\r\n`;
  const connection = new RawConnection(world.url);
  connection.write(withHead(`POST /api/uploadFile HTTP/1.1\r\n${head}`, body.subarray(0, 20_000)));
  while (world.sum(({ files }) => files.slots.count) === 0) await turnOfLoop();
  await anna.api.deleteAccount({ password });
  connection.write(body.subarray(20_000));
  expect(await connection.reply()).toMatchObject({ status: 401 });
  connection.end();
  await world.settle();
  expect(await rowsIn(world, 'files')).toBe(0);
  // The upload's bytes are marked for removal, like all bytes that no row names.
  expect(await rowsIn(world, 'files_to_remove')).toBe((await storedNames(world)).length);
});
