import { createClient } from '@parley/client';
import { createStore } from '@parley/client/store';
import { type OperationName, operationNames, operations } from '@parley/protocol';
import { Actor, createWorld, ManualClock, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { theService } from '@parley/server/calls/unit-queue.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allText, rowsIn } from '../helpers/rows-in.ts';
import { Backend } from '@parley/testing/world/backend.ts';

const unauthenticated = { status: 401, code: 'unauthenticated' };
const forbidden = { status: 403, code: 'forbidden' };

let world: World;
let names = 0;
const newName = (what: string) => `${what}_${(names += 1)}`;
beforeAll(async () => {
  world = await createWorld({ env: { SIGN_UP: 'closed' } });
});
afterAll(() => world.close());

async function shop() {
  const owner = await world.person(newName('owner'));
  return { owner, backend: await Backend.make(world, owner.username, newName('shop')) };
}

describe('the account of a user', () => {
  test('TOKEN-2, TOKEN-3: an id has one account, made at its first use, even for simultaneous calls and where sign-up is closed', async () => {
    const { backend } = await shop();
    const made = await Promise.all(Array.from({ length: 5 }, () => backend.createToken('Zed-42@shop.example')));
    expect(new Set(made.map(({ account }) => account.username))).toEqual(new Set(['zed_42']));
    expect(new Set(made.map(({ token }) => token)).size).toBe(5);
    const user = await backend.user('Zed-42@shop.example');
    expect(await user.api.getMe()).toMatchObject({ username: 'zed_42', kind: 'human' });
    const other = await backend.createToken('zed-42@shop.example');
    expect(other.account.username).toMatch(/^zed_42_[0-9a-f]{8}$/);
  });

  test('TOKEN-2, TOKEN-3: an id never opens an account that exists, nor one of another backend', async () => {
    const [{ backend }, { backend: second }] = [await shop(), await shop()];
    const person = await world.person(newName('taken'));
    const { account } = await backend.createToken(person.username);
    expect(account.username).toMatch(new RegExp(`^${person.username}_[0-9a-f]{8}$`));
    const elsewhere = await second.createToken(person.username);
    expect([account.username, person.username]).not.toContain(elsewhere.account.username);
    expect((await person.api.getMe()).display_name).toBe(person.username);
  });

  test('AUTH-8: a development token opens no account of a backend’s user', async () => {
    const { backend } = await shop();
    const { account } = await backend.createToken(newName('customer'));
    const intruder = new Actor(world, account.username, `dev:${account.username}`);
    expect(await failure(intruder.api.getMe())).toMatchObject(unauthenticated);
    const someone = new Actor(world, '', `dev:${newName('someone')}`);
    expect(await someone.api.getMe()).toMatchObject({ kind: 'human' });
  });

  test('TOKEN-4: each call sets the display name, which others see at once; the same name sends no event', async () => {
    const { owner, backend } = await shop();
    const { id: chat_id } = await owner.api.startChat({ usernames: [], title: 'Help' });
    const user = await backend.user('7', { display_name: 'Ann', chat_ids: [chat_id] });
    const socket = await owner.socket('ext');
    await backend.createToken('7', { display_name: 'Ann' });
    await backend.createToken('7', { display_name: 'Ann Smith' });
    const renamed = await socket.event('accountUpdated', ({ username }) => username === user.username);
    expect(renamed).toMatchObject({ display_name: 'Ann Smith' });
    expect(socket.all('accountUpdated').filter(({ username }) => username === user.username)).toHaveLength(1);
    for (const display_name of ['Parley support', 'two\nlines', ' '])
      expect(await failure(backend.createToken('8', { display_name }))).toMatchObject({
        status: 400,
        parameters: { field: 'display_name' },
      });
    const rows = await world.sql('SELECT 1 FROM backend_users WHERE external_id = $1', '8');
    expect(rows).toEqual([]);
  });

  test('TOKEN-9: a search of all accounts finds no user of a backend, and users search only among accounts they share a conversation with', async () => {
    const { owner, backend } = await shop();
    const { id: chat_id } = await owner.api.startChat({ usernames: [], title: 'Help' });
    const user = await backend.user('qux-1', { display_name: 'Quxly', chat_ids: [chat_id] });
    await backend.createToken('qux-2');
    const stranger = await world.person('quxanne');
    for (const query of ['qux', 'quxly', 'claude of qux']) {
      const { items } = await stranger.api.getUsers({ query });
      expect(items.map(({ username }) => username).filter((name) => !name.startsWith('quxanne'))).toEqual([]);
    }
    expect((await stranger.api.getUsers({ query: 'qux', limit: 1 })).items).toMatchObject([{ username: 'quxanne' }]);
    const found = async (query?: string) =>
      (await user.api.getUsers(query === undefined ? {} : { query })).items.map(({ username }) => username);
    expect(await found('qux')).toEqual(['qux_1', 'qux_1:provider_a', 'qux_1:provider_b']);
    expect(await found(owner.username.slice(0, -1))).toContain(owner.username);
    expect(await found()).not.toContain('quxanne');
  });

  test('TOKEN-10, PEOPLE-9: deleteUser deletes the account as deleteAccount does; the id gets another account afterwards', async () => {
    const { owner, backend } = await shop();
    const { id: chat_id } = await owner.api.startChat({ usernames: [], title: 'Help' });
    const user = await backend.user('secret-id-of-ann', { display_name: 'Ann Brown', chat_ids: [chat_id] });
    await user.api.sendMessage({ chat_id, text: 'hello' });
    const socket = await user.socket();
    await backend.deleteUser('secret-id-of-ann');
    expect(await socket.closed).toMatchObject({ code: 4401 });
    expect(await failure(user.api.getMe())).toMatchObject(unauthenticated);
    expect((await owner.api.getChatHistory({ chat_id })).items[0]?.sender).toMatchObject({
      display_name: 'Deleted account',
      is_deleted: true,
    });
    expect(await allText(world)).not.toContain('secret-id-of-ann');
    expect(await failure(backend.deleteUser('secret-id-of-ann'))).toMatchObject({ status: 404 });
    const again = await backend.createToken('secret-id-of-ann');
    expect(again.account.username).not.toBe(user.username);
    expect(await failure(owner.api.startChat({ username: user.username }))).toMatchObject({ status: 404 });
  });

  test('TOKEN-11, EXPORT-2: a disabled user gets no token; the export of a user names its backend and id', async () => {
    const { backend } = await shop();
    const user = await backend.user('id-in-the-shop');
    const { url } = await user.api.exportMyData();
    const document: unknown = await (await fetch(world.url + url)).json();
    expect(document).toMatchObject({ identities: [{ backend: backend.name, external_id: 'id-in-the-shop' }] });
    const disable = { username: user.username, isDisabled: true };
    await world.service.units.run('switchAccount', theService, disable, 0);
    expect(await failure(backend.createToken('id-in-the-shop'))).toMatchObject(forbidden);
    expect(await failure(user.api.getMe())).toMatchObject(unauthenticated);
  });
});

describe('the key of a backend', () => {
  test('TOKEN-1: an unknown or replaced key, a token of an account, and a key whose owner is disabled are 401; only a hash is stored', async () => {
    const { owner, backend } = await shop();
    const user = await backend.user('7');
    const renewed = await Backend.make(world, owner.username, backend.name);
    for (const backend_key of [backend.key, `${renewed.key}x`, user.token, owner.token, 'bk_'])
      expect(await failure(renewed.createToken('7', { backend_key }))).toMatchObject(unauthenticated);
    expect(await failure(backend.deleteUser('7'))).toMatchObject(unauthenticated);
    // The users stay those of the backend.
    expect((await renewed.createToken('7')).account.username).toBe(user.username);
    const text = await allText(world);
    expect([text.includes(renewed.key), text.includes(user.token)]).toEqual([false, false]);
    const disable = { username: owner.username, isDisabled: true };
    await world.service.units.run('switchAccount', theService, disable, 0);
    expect(await failure(renewed.createToken('7'))).toMatchObject(unauthenticated);
    expect(await failure(renewed.deleteUser('7'))).toMatchObject(unauthenticated);
  });
});

describe('where the user takes part', () => {
  test('TOKEN-7: chat_ids adds the user to groups that the owner manages, once, and the user receives them', async () => {
    const { owner, backend } = await shop();
    const admin = await world.person(newName('admin'));
    const { id: own } = await owner.api.startChat({ usernames: [admin.username], title: 'Own' });
    const { id: foreign } = await admin.api.startChat({ usernames: [owner.username], title: 'Foreign' });
    const user = await backend.user('7');
    const socket = await user.socket('ext');
    await backend.createToken('7', { chat_ids: [own, own] });
    await backend.createToken('7', { chat_ids: [own] });
    expect(await socket.event('conversationNew')).toMatchObject({ id: own });
    const { items } = await user.api.getChats();
    expect(items.map(({ id }) => id)).toEqual([own]);
    expect((await owner.api.getMembers({ chat_id: own })).items).toHaveLength(3);
    expect(await failure(backend.createToken('7', { chat_ids: [foreign] }))).toMatchObject(forbidden);
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect(await failure(backend.createToken('7', { chat_ids: [unknown] }))).toMatchObject({ status: 404 });
    await admin.api.setMemberRole({ chat_id: foreign, username: owner.username, role: 'admin' });
    await backend.createToken('7', { chat_ids: [foreign] });
    expect((await user.api.getChats()).items).toHaveLength(2);
  });

  test('TOKEN-12: a call that fails makes no account and joins no group', async () => {
    const { owner, backend } = await shop();
    const { id } = await owner.api.startChat({ usernames: [], title: 'Help' });
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect(await failure(backend.createToken('new-7', { chat_ids: [id, unknown] }))).toMatchObject({ status: 404 });
    expect(await failure(owner.api.getUser({ username: 'new_7' }))).toMatchObject({ status: 404 });
    expect((await owner.api.getMembers({ chat_id: id })).items).toHaveLength(1);
  });

  test('TOKEN-7: a group whose owner the user has blocked is left out, and a full group is 400', async () => {
    await using small = await createWorld({ settings: { groupMembers: 2 } });
    const owner = await small.person('owner');
    const backend = await Backend.make(small, 'owner');
    const { id } = await owner.api.startChat({ usernames: [], title: 'Help' });
    const user = await backend.user('7');
    await user.api.blockUser({ username: 'owner' });
    await backend.createToken('7', { chat_ids: [id] });
    expect((await user.api.getChats()).items).toEqual([]);
    await backend.createToken('8', { chat_ids: [id] });
    expect(await failure(backend.createToken('9', { chat_ids: [id] }))).toMatchObject({
      status: 400,
      parameters: { field: 'chat_ids' },
    });
  });

  test('TOKEN-8: agent_username begins one direct chat with an agent of the owner or a public one', async () => {
    const { owner, backend } = await shop();
    const bot = await world.bot(owner, 'support');
    const { token, chat_id = '' } = await backend.createToken('7', { agent_username: bot.username });
    const user = await backend.user('7');
    expect(token).toMatch(/^s_/);
    await user.api.sendMessage({ chat_id, text: 'hello' });
    expect((await bot.api.getChatHistory({ chat_id })).items.map(({ content }) => content)).toEqual(['hello']);
    expect(await backend.createToken('7', { agent_username: bot.username })).toMatchObject({ chat_id });
    expect(await backend.createToken('7', { agent_username: 'parley:guide' })).toHaveProperty('chat_id');
    const stranger = await world.person(newName('stranger'));
    const foreign = await world.bot(stranger);
    for (const agent_username of [foreign.username, stranger.username, owner.username])
      expect(await failure(backend.createToken('7', { agent_username }))).toMatchObject(forbidden);
    expect(await failure(backend.createToken('7', { agent_username: 'nobody' }))).toMatchObject({ status: 404 });
  });

  test('TOKEN-8, WEBHOOK-6: agent_username is no webhook, not even one of the owner', async () => {
    const { owner, backend } = await shop();
    const { id: chat_id } = await owner.api.startChat({ usernames: [], title: 'Builds' });
    const { account } = await owner.api.createWebhook({ chat_id });
    expect(await failure(backend.createToken('7', { agent_username: account.username }))).toMatchObject(forbidden);
  });

  test('TOKEN-8, BLOCK-3: a block refuses no token to a user whose chat with the agent exists, and begins no other', async () => {
    const { owner, backend } = await shop();
    const bot = await world.bot(owner, newName('support'));
    const other = await world.bot(owner, newName('sales'));
    const { chat_id } = await backend.createToken('7', { agent_username: bot.username });
    const user = await backend.user('7');
    for (const { username } of [bot, other]) await user.api.blockUser({ username });
    expect(await backend.createToken('7', { agent_username: bot.username })).toMatchObject({ chat_id });
    expect(await failure(backend.createToken('7', { agent_username: other.username }))).toMatchObject(forbidden);
  });
});

describe('a limited session', () => {
  test('TOKEN-6: every operation that a limited session may not call is 403, over HTTP and over a socket', async () => {
    const { backend } = await shop();
    const user = await backend.user('limited');
    const socket = await user.socket();
    const call = user.api as unknown as Record<OperationName, (params: object) => Promise<unknown>>; // called by name
    const refused = operationNames.filter((name) => !operations[name].policy.limitedSessions);
    for (const name of refused.filter((one) => !operations[one].policy.open)) {
      expect([name, await failure(call[name]({}))]).toMatchObject([name, forbidden]);
      expect([name, await failure(socket.rpc(name, {}))]).toMatchObject([name, { code: 'forbidden' }]);
    }
    expect(refused).toEqual(
      expect.arrayContaining(['startChat', 'joinChat', 'createBot', 'setAgentKey', 'updateProfile', 'changePassword']),
    );
  });

  test('TOKEN-6: the store of the SDK loads in a limited session', async () => {
    const { owner, backend } = await shop();
    const { id: chat_id } = await owner.api.startChat({ usernames: [], title: 'Help' });
    const { token, account } = await backend.createToken(newName('stored'), { chat_ids: [chat_id] });
    const client = createClient({ url: world.url, token, account: account.username });
    const store = createStore(client);
    await new Promise<void>((resolve) => client.onState((state) => state === 'live' && resolve()));
    expect(store.chats.get().ids).toEqual([chat_id]);
    store.close();
    client.close();
  });

  test('TOKEN-6: a limited session reads and writes in its conversations, and in no others', async () => {
    const { owner, backend } = await shop();
    const { id: chat_id } = await owner.api.startChat({ usernames: [], title: 'Help' });
    const { id: other } = await owner.api.startChat({ usernames: [], title: 'Internal' });
    const user = await backend.user('reader', { chat_ids: [chat_id] });
    const { id: message_id } = await user.api.sendMessage({ chat_id, text: 'hello' });
    await owner.api.sendMessage({ chat_id, text: 'how can I help?' });
    await user.api.setMessageReaction({ message_id, emoji: '👍' });
    expect((await user.api.getChatHistory({ chat_id })).items).toHaveLength(2);
    expect(await failure(user.api.sendMessage({ chat_id: other, text: 'hello' }))).toMatchObject({
      code: expect.stringMatching(/f/),
    });
    await user.api.signOut();
    expect(await failure(user.api.getMe())).toMatchObject(unauthenticated);
  });

  test('TOKEN-5, AUTH-6: a token is valid for expires_in, however much it is used; then its sockets close with 4401', async () => {
    const clock = new ManualClock();
    await using timed = await createWorld({ clock });
    await timed.person('owner');
    const backend = await Backend.make(timed, 'owner');
    const { expires_at } = await backend.createToken('7', { expires_in: 120 });
    expect(Date.parse(expires_at) - clock.now()).toBe(120_000);
    for (const expires_in of [59, 86_401, 1.5])
      expect(await failure(backend.createToken('7', { expires_in }))).toMatchObject({ status: 400 });
    const user = await backend.user('7', { expires_in: 120 });
    const socket = await user.socket();
    for (let passed = 0; passed < 100_000; passed += 20_000) {
      await clock.advance(20_000);
      await timed.settle();
      await user.api.getMe();
    }
    await clock.advance(20_000);
    expect(await failure(user.api.getMe())).toMatchObject(unauthenticated);
    // The socket is still open.
    expect(await failure(socket.rpc('getMe', {}))).toMatchObject({ code: 'unauthenticated' });
    for (let passed = 0; passed < 60_000; passed += 20_000) {
      await clock.advance(20_000);
      await timed.settle();
    }
    expect(await socket.closed).toMatchObject({ code: 4401 });
    await timed.lead.units.run('forgetSessions', theService, {}, clock.now());
    expect(await rowsIn(timed, 'sessions')).toBe(0);
  });
});
