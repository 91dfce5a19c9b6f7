import { type OperationName, operations } from '@parley/protocol';
import { handlers } from '@parley/server/operations/index.ts';
import { createWorld, unknownId } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { expect, test } from 'vitest';
import { addsData, type Handler } from '../../operations/handler.ts';
import { botIn } from '../helpers/agents.ts';
import { upload } from '../helpers/file-stage.ts';

const unavailable = { code: 'unavailable', status: 503 };
/** The password of every `world.member`. */
const PASSWORD = 'correct horse battery staple';

test('LIMIT-23, OPS-1: with a full disk everything that adds data is refused; reading, deleting and signing in still work', async () => {
  const env: Record<string, string> = {};
  await using world = await createWorld({ env });
  const { alice, bob } = await world.people('alice', 'bob');
  const member = await world.member('ann');
  const chat = await world.group(alice, bob, member);
  const { id: chat_id } = chat;
  const bot = await botIn(world, alice, chat);
  const said = [];
  for (const text of ['one', 'two', 'three']) said.push(await alice.api.sendMessage({ chat_id, text }));
  const [one, two, three] = said.map(({ id }) => id);
  if (!one || !two || !three) throw new Error('three were said');
  await alice.api.setMessageReaction({ message_id: three, emoji: '👍' });
  await alice.api.pinMessage({ chat_id, message_id: three });
  await bob.api.saveDraft({ chat_id, text: 'unsent' });
  const { id: reply } = await bot.api.startMessageStream({ chat_id });
  await bot.api.appendMessageStream({ message_id: reply, delta: 'so far', offset: 6 });
  const readiness = async () => {
    const answer = await fetch(`${world.url}/readyz`);
    return [answer.status, await answer.json()];
  };
  expect(await readiness()).toEqual([200, { ok: true }]);

  // More than any disk has.
  env['MIN_FREE_BYTES'] = '900000000000000';
  await world.restart();
  expect(await readiness()).toEqual([200, { ok: true, writes: 'disk is full' }]);
  const socket = await bob.socket();
  const refused: (() => Promise<unknown>)[] = [
    () => alice.api.sendMessage({ chat_id, text: 'four' }),
    () => bot.api.sendMessage({ chat_id, text: 'four' }),
    () => socket.rpc('messages.send', { conversation_id: chat_id, content: 'four' }),
    () => alice.api.editMessage({ message_id: one, text: 'one and more' }),
    () => alice.api.forwardMessages({ message_ids: [one], to_chat_id: chat_id }),
    () => alice.api.setMessageReaction({ message_id: one, emoji: '👍' }),
    () => alice.api.startChat({ usernames: ['bob'], title: 'another' }),
    () => bob.api.saveDraft({ chat_id, text: 'more' }),
    () => bob.api.pushAlert({ to_username: 'alice', text: 'hello' }),
    () => bot.api.startMessageStream({ chat_id }),
    () => bot.api.appendMessageStream({ message_id: reply, delta: '!', offset: 7 }),
    () => bot.api.finishMessageStream({ message_id: reply, text: 'the whole of it' }),
    () => alice.api.createBot({ slug: 'other', display_name: 'Other' }),
    () => alice.api.setBotConfig({ username: bot.username, is_public: true, show_on_profile: [] }),
    () => alice.api.signUp({ username: 'newcomer', password: PASSWORD }),
    () => upload(alice, Buffer.from('hello')),
  ];
  for (const call of refused) expect(await failure(call())).toMatchObject(unavailable);

  await bot.api.finishMessageStream({ message_id: reply });
  await bob.api.markRead({ chat_id, message_id: two });
  await bob.api.saveDraft({ chat_id, text: ' ' });
  await alice.api.setMessageReaction({ message_id: three, emoji: '👍', remove: true });
  await alice.api.unpinMessage({ chat_id });
  expect(await alice.api.deleteMessages({ message_ids: [one] })).toEqual({ ids: [one] });
  await alice.api.setBotConfig({ username: bot.username, is_public: false, pays_for: 'nobody', allowed_models: [] });
  await alice.api.blockUser({ username: 'ann' });
  await bob.api.deleteMessagesForMe({ message_ids: [two] });
  const { items } = await bob.api.getChatHistory({ chat_id });
  expect(items.map(({ content }) => content)).toEqual(['three', 'so far']);
  const again = await world.signIn(member);
  await again.api.changePassword({ old_password: PASSWORD, new_password: `${PASSWORD} again` });
  await again.api.deleteAccount({ password: `${PASSWORD} again` });
  await alice.api.deleteBot({ username: bot.username });

  delete env['MIN_FREE_BYTES'];
  await world.restart();
  expect(await readiness()).toEqual([200, { ok: true }]);
  await alice.api.sendMessage({ chat_id, text: 'four' });
});

test('LIMIT-23: some operations are allowed only with inputs that remove something', () => {
  const allowed = (name: OperationName, ...params: object[]) => {
    const handler: Handler = handlers[name];
    return params.map((given) => !addsData(handler, operations[name].input.parse(given)));
  };
  const chat = { chat_id: unknownId };
  expect(allowed('saveDraft', { ...chat, text: ' ' }, { ...chat, text: 'words' })).toEqual([true, false]);
  const message = { message_id: unknownId };
  const reaction = { ...message, emoji: '👍' };
  expect(allowed('setMessageReaction', { ...reaction, remove: true }, reaction)).toEqual([true, false]);
  expect(allowed('votePoll', { ...message, options: [] }, { ...message, options: [0] })).toEqual([true, false]);
  expect(allowed('setStatus', {}, { text: 'words' }, { emoji: '👍' })).toEqual([true, false, false]);
  expect(allowed('finishMessageStream', message, { ...message, text: '' })).toEqual([true, false]);
  const bot = { username: 'ann:bot' };
  const harmless = { ...bot, is_public: false, pays_for: 'nobody' };
  expect(
    allowed(
      'setBotConfig',
      harmless,
      ...[{ config: {} }, { secrets: {} }, { show_on_profile: [] }].map((adding) => ({ ...harmless, ...adding })),
    ),
  ).toEqual([true, false, false, false]);
});
