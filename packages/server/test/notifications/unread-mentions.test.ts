import { type Actor, checkReplay, createWorld, type World } from '@parley/testing';
import { expect, test } from 'vitest';

const say = ({ api }: Actor, chat_id: string, text: string, more: object = {}) =>
  api.sendMessage({ chat_id, text, ...more });
const count = async ({ api }: Actor, chat_id: string) => (await api.getChat({ chat_id })).unread_mentions;
const listed = async ({ api }: Actor, chat_id: string) =>
  (await api.getUnreadMentions({ chat_id })).items.map(({ message_id }) => message_id);

async function stage(world: World) {
  const people = await world.people('ann', 'bob', 'cid');
  const { id: chat_id } = await world.group(people.ann, people.bob, people.cid);
  return { ...people, chat_id };
}

test('READ-8, READ-10, READ-11: mentions and replies count for the person until it has read them', async () => {
  await using world = await createWorld();
  const { ann, bob, cid, chat_id } = await stage(world);
  const [socket, others] = [await ann.socket('ext'), await cid.socket('ext')];
  const own = await say(ann, chat_id, 'a question, and @ann is me');
  const ids: string[] = [];
  await checkReplay(world, [ann, bob, cid], async () => {
    await say(bob, chat_id, 'nothing special');
    ids.push((await say(bob, chat_id, 'look, @ann')).id);
    ids.push((await say(cid, chat_id, 'an answer', { reply_to_message_id: own.id })).id);
    ids.push((await say(cid, chat_id, 'to @ann and @bob', { thread_root_id: own.id })).id);
  });
  expect(await ann.api.getChat({ chat_id })).toMatchObject({ unread_count: 4, unread_mentions: 3 });
  expect(await count(bob, chat_id)).toBe(1);
  expect(await count(cid, chat_id)).toBe(0);
  expect(await listed(ann, chat_id)).toEqual(ids);
  expect((await ann.api.getUnreadMentions({ chat_id })).items.at(-1)).toMatchObject({
    channel_id: null,
    thread_root_id: own.id,
  });
  await world.settle();
  expect(socket.all('conversationUpdated').map((event) => event.unread_mentions)).toEqual([1, 2, 3]);
  expect(others.all('conversationUpdated')).toEqual([]);
  await checkReplay(world, [ann], () => ann.api.markRead({ chat_id, message_id: ids[1] ?? '' }));
  await world.settle();
  expect(socket.all('conversationUpdated').at(-1)).toMatchObject({ unread_mentions: 1, unread_count: 1 });
  expect(await listed(ann, chat_id)).toEqual(ids.slice(2));
});

test('READ-8: direct chats, agents, and messages of somebody whom the person has blocked have no mentions', async () => {
  await using world = await createWorld();
  const { ann, bob, cid, chat_id } = await stage(world);
  const { id: direct } = await world.direct(ann, bob);
  const { id: own } = await say(ann, direct, 'a question');
  await say(bob, direct, 'an answer to @ann', { reply_to_message_id: own });
  expect(await count(ann, direct)).toBe(0);
  expect(await listed(ann, direct)).toEqual([]);
  const bot = await world.bot(bob);
  await bob.api.addGroupAgent({ chat_id, agent_username: bot.username });
  await say(ann, chat_id, `@${bot.username} and @cid`);
  expect(await count(bot, chat_id)).toBe(0);
  expect(await count(cid, chat_id)).toBe(1);
  await ann.api.blockUser({ username: 'cid' });
  await say(cid, chat_id, 'hey @ann and @bob');
  expect(await count(ann, chat_id)).toBe(0);
  expect(await count(bob, chat_id)).toBe(1);
});

test('READ-8: a reply of an agent is a mention for its asker once it is complete', async () => {
  await using world = await createWorld();
  const { ann, bob, chat_id } = await stage(world);
  const bot = await world.bot(bob);
  await bob.api.addGroupAgent({ chat_id, agent_username: bot.username });
  const { id: asked } = await say(ann, chat_id, `@${bot.username} what is it?`);
  await checkReplay(world, [ann, bob], async () => {
    const { id } = await bot.api.startMessageStream({ chat_id, reply_to_message_id: asked });
    expect(await count(ann, chat_id)).toBe(0);
    await bot.api.finishMessageStream({ message_id: id, text: 'it is that, says @bob' });
  });
  expect(await count(ann, chat_id)).toBe(1);
  expect(await count(bob, chat_id)).toBe(1);
});

test('READ-8, READ-9: a member’s message counts for the first 50 people in its text, also after an edit', async () => {
  await using world = await createWorld();
  const [owner, ann] = [await world.person('owner'), await world.person('ann')];
  const many: Actor[] = [];
  for (let at = 0; at < 52; at += 1) many.push(await world.person(`p${at}`));
  const { id: chat_id } = await world.group(owner, ann, ...many);
  const names = many.map(({ username }) => `@${username}`);
  const counted = async () => {
    const counts = await Promise.all(many.map(async (one) => count(one, chat_id)));
    return names.filter((_, at) => counts[at] === 1);
  };
  const { id: message_id, mentions } = await say(ann, chat_id, names.toReversed().join(' '));
  expect(mentions).toHaveLength(52);
  expect(await counted()).toEqual(names.slice(2));
  await ann.api.editMessage({ message_id, text: names.slice(2).join(' ') });
  await ann.api.editMessage({ message_id, text: [...names.slice(2), ...names.slice(0, 2)].join(' ') });
  expect(await counted()).toEqual(names.slice(2));
  await ann.api.editMessage({ message_id, text: names.join(' ') });
  expect(await counted()).toEqual(names.slice(0, 50));
});

test('READ-9, READ-11: edits and deletions change the count, on every device', { tags: ['long'] }, async () => {
  await using world = await createWorld();
  const { ann, bob, cid, chat_id } = await stage(world);
  const own = await say(ann, chat_id, 'a question');
  const { id: message_id } = await say(bob, chat_id, 'for @cid', { reply_to_message_id: own.id });
  const counts = async () => [await count(ann, chat_id), await count(cid, chat_id)];
  expect(await counts()).toEqual([1, 1]);
  await checkReplay(world, [ann, cid], () => bob.api.editMessage({ message_id, text: 'for nobody' }));
  expect(await counts()).toEqual([1, 0]);
  await checkReplay(world, [ann, cid], () => bob.api.editMessage({ message_id, text: 'for @cid and @ann' }));
  expect(await counts()).toEqual([1, 1]);
  // The message is a reply to ann, whether it mentions her or not.
  await checkReplay(world, [ann, cid], () => bob.api.editMessage({ message_id, text: 'for @cid again' }));
  expect(await counts()).toEqual([1, 1]);
  await checkReplay(world, [cid], () => cid.api.deleteMessagesForMe({ message_ids: [message_id] }));
  expect(await counts()).toEqual([1, 0]);
  await checkReplay(world, [ann, cid], () => bob.api.deleteMessages({ message_ids: [message_id] }));
  expect(await counts()).toEqual([0, 0]);
});

test('READ-8, READ-11: mentions in a deleted channel do not count', async () => {
  await using world = await createWorld();
  const { ann, bob, chat_id } = await stage(world);
  const { id: channel_id } = await ann.api.createChannel({ chat_id, title: 'Side' });
  await say(ann, chat_id, 'hello @bob');
  await say(ann, chat_id, 'here, @bob', { channel_id });
  expect(await count(bob, chat_id)).toBe(2);
  await checkReplay(world, [ann, bob], () => ann.api.deleteChannel({ chat_id, channel_id }));
  expect(await count(bob, chat_id)).toBe(1);
});

test('READ-8: mentions in a history that the person has cleared do not count', async () => {
  await using world = await createWorld();
  const { ann, bob, chat_id } = await stage(world);
  await say(ann, chat_id, 'hello @bob');
  await checkReplay(world, [ann, bob], () => bob.api.clearChat({ chat_id }));
  expect(await count(bob, chat_id)).toBe(0);
  expect(await listed(bob, chat_id)).toEqual([]);
  await say(ann, chat_id, 'hello again @bob');
  expect(await count(bob, chat_id)).toBe(1);
});
