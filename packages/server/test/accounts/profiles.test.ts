import { checkReplay, createWorld, type World } from '@parley/testing';
import { idText } from '@parley/server/core/ids.ts';
import { accountByName } from '@parley/server/store/accounts.ts';
import { chatByKey, chatsToNotify } from '@parley/server/store/chats.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { get, photo, upload } from '../helpers/file-stage.ts';
import { rowsIn } from '../helpers/rows-in.ts';

const password = 'correct horse battery staple';
const refused = (status: number) => ({ status });

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('EXT-6: a changed profile is sent to the agents of separate chats too, after all other conversations', async () => {
  const { nora, oskar } = await world.people('nora', 'oskar');
  const { id: group } = await world.group(nora, oskar);
  const bot = await world.bot(oskar);
  await oskar.api.setBotConfig({ username: bot.username, is_public: true });
  const { id: separate } = await nora.api.startChat({ username: bot.username, new: true });
  const watching = await bot.socket('ext');
  await nora.api.updateProfile({ display_name: 'Nora 1' });
  await watching.event('accountUpdated', (account) => account.display_name === 'Nora 1');
  const { read } = world.service;
  const chats = await read.all(chatsToNotify, (await read.get(accountByName, 'nora'))?.key ?? 0, 9);
  const rows = await read.gather(
    chatByKey,
    chats.map(({ key }) => key),
  );
  const ids = rows.map(({ id }) => idText(id));
  expect([ids.includes(group), ids.at(-1)]).toEqual([true, separate]);
});

test('PEOPLE-1, PEOPLE-3, EXT-6: a changed profile is shown immediately, to everyone and everywhere', async () => {
  const { anna, ben, carl } = await world.people('anna', 'ben', 'carl');
  const { id: chat_id } = await world.group(anna, ben);
  const { id } = await anna.api.sendMessage({ chat_id, text: 'hello' });
  await ben.api.getMessages({ message_ids: [id] });
  const reacting = await anna.socket();
  const watching = await ben.socket('ext');
  const changed = await checkReplay(world, [anna, ben], async () => {
    const account = await anna.api.updateProfile({ display_name: 'Änne', bio: 'of the north' });
    await reacting.rpc('setMessageReaction', { message_id: id, emoji: '👍' });
    await anna.api.sendMessage({ chat_id, text: 'again' });
    return account;
  });
  expect(changed).toMatchObject({ username: 'anna', display_name: 'Änne', bio: 'of the north' });
  expect(await anna.api.getMe()).toMatchObject(changed);
  expect(await carl.api.getUser({ username: 'anna' })).toEqual(changed);
  expect(await watching.event('accountUpdated', ({ username }) => username === 'anna')).toEqual(changed);
  const { items } = await ben.api.getChatHistory({ chat_id });
  expect(items.map(({ sender }) => sender)).toEqual([changed, changed]);
  expect(items[0]?.reactions[0]?.reactors).toEqual([{ username: 'anna', kind: 'human', display_name: 'Änne' }]);
  expect(await watching.event('reactionAdded')).toMatchObject({ reactor: { display_name: 'Änne' } });
  const found = async (query: string) => (await carl.api.getUsers({ query })).items.map(({ username }) => username);
  for (const query of ['ÄNNE', 'anne']) expect(await found(query), query).toEqual(['anna']);
  // Both a socket that was open before the change and one that opens now show the new profile.
  await reacting.rpc('sendChatAction', { chat_id, action: 'typing' });
  expect(await watching.event('typing')).toMatchObject({ actor: { display_name: 'Änne' } });
  expect((await anna.socket()).hello.params).toEqual(changed);
});

test('PEOPLE-3: the end of typing shows the new name of an account that was renamed while typing', async () => {
  const { tina, ulf } = await world.people('tina', 'ulf');
  const { id: chat_id } = await world.direct(tina, ulf);
  const watching = await ulf.socket();
  await tina.api.sendChatAction({ chat_id, action: 'typing' });
  await watching.event('typing');
  await tina.api.updateProfile({ display_name: 'Tine' });
  await tina.api.sendMessage({ chat_id, text: 'there' });
  const { actor } = await watching.event('typing', ({ is_typing }) => !is_typing);
  expect(actor).toEqual({ username: 'tina', kind: 'human', display_name: 'Tine' });
});

test('PEOPLE-1: null or an empty text clears the bio; no field at all is 400; limits are those of signUp', async () => {
  const { dora } = await world.people('dora');
  await dora.api.updateProfile({ bio: 'once' });
  expect(await dora.api.updateProfile({ bio: null })).not.toHaveProperty('bio');
  await dora.api.updateProfile({ bio: 'twice' });
  expect(await dora.api.updateProfile({ bio: '' })).not.toHaveProperty('bio');
  expect((await dora.api.updateProfile({ bio: 'é'.repeat(512) })).bio).toHaveLength(512);
  for (const wrong of [{}, { display_name: '' }, { display_name: 'x'.repeat(257) }, { bio: `${'é'.repeat(512)}x` }])
    await expect(dora.api.updateProfile(wrong)).rejects.toMatchObject(refused(400));
  await expect(dora.api.updateProfile({})).rejects.toMatchObject({ description: expect.stringContaining('field') });
});

test('PEOPLE-2: a change without effect is not published', async () => {
  const { emil } = await world.people('emil');
  const before = await emil.api.updateProfile({ display_name: 'Emil', bio: 'same' });
  const events = await rowsIn(world, 'events');
  expect(await emil.api.updateProfile({ display_name: 'Emil', bio: 'same' })).toEqual(before);
  expect(await emil.api.updateProfile({ avatar_file_id: null })).toEqual(before);
  expect(await rowsIn(world, 'events')).toBe(events);
});

test('PEOPLE-1, FILE-14: an avatar is made from one’s own photo and removed by null; any other file is refused', async () => {
  const { fred, gina } = await world.people('fred', 'gina');
  const { id: avatar_file_id } = await upload(fred, await photo('png'), 'me.png');
  const { avatar_url } = await fred.api.updateProfile({ avatar_file_id });
  expect((await get(world, avatar_url)).status).toBe(200);
  expect(await gina.api.getUser({ username: 'fred' })).toMatchObject({ avatar_url });
  await expect(gina.api.updateProfile({ avatar_file_id })).rejects.toMatchObject(refused(404));
  const { id: text } = await upload(fred, 'no photo', 'notes.txt');
  await expect(fred.api.updateProfile({ avatar_file_id: text })).rejects.toMatchObject(refused(400));
  expect(await fred.api.updateProfile({ avatar_file_id: null })).not.toHaveProperty('avatar_url');
  await world.settle();
  expect((await get(world, avatar_url)).status).toBe(404);
});

test('PEOPLE-4: provider agents are named after their owner; a bot can only change its own profile', async () => {
  const { hugo, ines } = await world.people('hugo', 'ines');
  const bot = await world.bot(hugo);
  await hugo.api.updateProfile({ display_name: 'Hugo the Second' });
  const names = await ines.api.getUsers({ usernames: ['hugo:provider_a', 'hugo:provider_b', bot.username] });
  expect(names.items.map(({ display_name }) => display_name)).toEqual([
    'Claude of Hugo the Second',
    'GPT of Hugo the Second',
    'bot',
  ]);
  expect(await bot.api.updateProfile({ display_name: 'Robbie', bio: 'beep' })).toMatchObject({
    username: bot.username,
    display_name: 'Robbie',
  });
  expect(await hugo.api.getMe()).toMatchObject({ display_name: 'Hugo the Second' });
});

test('PEOPLE-5: changePassword ends the other sessions, their sockets and pushes, and keeps the caller’s session', async () => {
  const member = await world.member('karl');
  const other = await world.signIn(member);
  const [own, others] = [await member.socket(), await other.socket()];
  await member.api.registerPushToken({ platform: 'ios', token: 'aa01' });
  await other.api.registerPushToken({ platform: 'ios', token: 'bb02' });
  const change = { old_password: password, new_password: 'another one' };
  await expect(member.api.changePassword({ ...change, old_password: 'wrong' })).rejects.toMatchObject(refused(403));
  await expect(member.api.changePassword({ ...change, new_password: 'short' })).rejects.toMatchObject(refused(400));
  const tooLong = 'x'.repeat(1_025);
  await expect(member.api.changePassword({ ...change, new_password: tooLong })).rejects.toMatchObject(refused(413));
  expect(others.isOpen).toBe(true);
  await own.rpc('changePassword', change);
  expect(await others.closed).toMatchObject({ code: 4401 });
  await expect(other.api.getMe()).rejects.toMatchObject(refused(401));
  expect(await rowsIn(world, "push_tokens WHERE address IN ('aa01', 'bb02')")).toBe(1);
  expect(await own.rpc('getMe')).toMatchObject({ username: 'karl' });
  await expect(world.signIn(member)).rejects.toMatchObject(refused(401));
  const { session } = await member.api.signIn({ username: 'karl', password: 'another one' });
  expect(session.is_current).toBe(true);
});

test('PEOPLE-5: an account without a password, such as a development account or a bot, cannot change it', async () => {
  const { lena } = await world.people('lena');
  const bot = await world.bot(lena);
  for (const { api } of [lena, bot])
    await expect(api.changePassword({ old_password: password, new_password: password })).rejects.toMatchObject(
      refused(403),
    );
});

test('PEOPLE-6: of two concurrent changes exactly one is accepted with the old password', async () => {
  const member = await world.member('mona');
  const both = [member, await world.signIn(member)];
  const given = ['the first one', 'the second one'];
  const ends = await Promise.allSettled(
    both.map(({ api }, at) => api.changePassword({ old_password: password, new_password: given[at] ?? '' })),
  );
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const winner = ends.findIndex(({ status }) => status === 'fulfilled');
  for (const [at, new_password] of given.entries()) {
    const signIn = member.api.signIn({ username: 'mona', password: new_password });
    if (at === winner) await signIn;
    else await expect(signIn).rejects.toMatchObject(refused(401));
  }
});

test('PEOPLE-3, PEOPLE-9: a replayed reaction shows its author’s current name', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const sent = await alice.api.sendMessage({ chat_id: chat.id, text: 'hello' });
  const { head } = await alice.api.getChats();
  await bob.api.updateProfile({ display_name: 'Robert Formername' });
  await bob.api.setMessageReaction({ message_id: sent.id, emoji: '👍' });
  await bob.api.updateProfile({ display_name: 'Robert' });
  const { frames } = await alice.api.getUpdates({ since: head });
  expect(frames).toMatchObject([{ method: 'events.reactionAdded', params: { reactor: { display_name: 'Robert' } } }]);
  expect(JSON.stringify(frames)).not.toContain('Formername');
});
