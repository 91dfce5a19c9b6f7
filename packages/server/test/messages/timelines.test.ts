import { type Actor, checkReplay, createWorld, ManualClock, unknownId } from '@parley/testing';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';
import { historyOf, missing, scene } from '../helpers/message-stage.ts';
import { faultsIn } from '../helpers/scheduled-stage.ts';

test('MSG-7: a channel or thread of another conversation is 404', { tags: ['long'] }, async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, both } = await scene(world);
  const send = (more: object = {}, chat = chat_id) => alice.api.sendMessage({ chat_id: chat, text: 'hi', ...more });
  const other = await world.group(alice, bob);
  const foreign = await alice.api.createChannel({ chat_id: other.id, title: 'foreign' });
  const [channel, gone] = [
    await alice.api.createChannel({ chat_id, title: 'a channel' }),
    await alice.api.createChannel({ chat_id, title: 'gone' }),
  ];
  const channel_id = channel.id;
  await alice.api.deleteChannel({ chat_id, channel_id: gone.id });
  const [root, rootInChannel, foreignRoot, deleted] = [
    await send(),
    await send({ channel_id }),
    await send({}, other.id),
    await send(),
  ];
  const reply = await send({ thread_root_id: root.id });
  await alice.api.deleteMessages({ message_ids: [deleted.id] });
  const wrong: Record<string, object> = {
    'no channel': { channel_id: unknownId },
    'a channel of another conversation': { channel_id: foreign.id },
    'a deleted channel': { channel_id: gone.id },
    'no message': { thread_root_id: unknownId },
    'a message of another conversation': { thread_root_id: foreignRoot.id },
    'a root of a channel, without it': { thread_root_id: rootInChannel.id },
    'a root of no channel, with one': { thread_root_id: root.id, channel_id },
    'a message of a thread': { thread_root_id: reply.id },
    'a deleted root': { thread_root_id: deleted.id },
  };
  for (const [what, place] of Object.entries(wrong)) {
    await expect(send(place), what).rejects.toMatchObject(missing);
    if (what !== 'a deleted root')
      await expect(alice.api.getChatHistory({ chat_id, ...place }), what).rejects.toMatchObject(missing);
  }
  const place = { channel_id, thread_root_id: rootInChannel.id };
  expect(await checkReplay(world, both, () => send(place))).toMatchObject(place);
});

test('MSG-14, ADMIN-12: a root shows its thread while the thread has replies', { tags: ['long'] }, async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, both } = await scene(world);
  const root = await alice.api.sendMessage({ chat_id, text: 'a root' });
  const reply = async (actor: Actor) => {
    await clock.advance(1_000);
    return actor.api.sendMessage({ chat_id, text: 'a reply', thread_root_id: root.id });
  };
  const threadOf = async () => (await bob.api.getMessages({ message_ids: [root.id] })).items[0]?.thread;
  expect(await threadOf()).toBeUndefined();
  const replies = await checkReplay(world, both, async () => [await reply(alice), await reply(bob)]);
  const ids = replies.map(({ id }) => id);
  expect(await threadOf()).toEqual({ count: 2, last_at: replies[1]?.created_at });
  expect((await historyOf(alice, chat_id))[0]?.thread).toEqual(await threadOf());
  await checkReplay(world, both, () => alice.api.deleteMessages({ message_ids: ids.slice(1) }));
  expect(await threadOf()).toMatchObject({ count: 1 });
  await checkReplay(world, both, () => alice.api.deleteMessages({ message_ids: ids }));
  expect(await threadOf()).toBeUndefined();
  expect(await faultsIn(world)).toEqual([]);
  await reply(bob);
  expect(await threadOf()).toMatchObject({ count: 1 });
});

test('MSG-14: a streaming reply in a thread counts, until it is stopped without a text', async () => {
  await using world = await createWorld();
  const { alice, chat, chat_id, both } = await scene(world);
  const bot = await botIn(world, alice, chat);
  const root = await alice.api.sendMessage({ chat_id, text: 'a root' });
  const begin = () => bot.api.startMessageStream({ chat_id, thread_root_id: root.id });
  const countOf = async () => (await historyOf(alice, chat_id))[0]?.thread?.count;
  await checkReplay(world, both, async () => {
    const [one, other] = [await begin(), await begin()];
    expect(await countOf()).toBe(2);
    await bot.api.finishMessageStream({ message_id: one.id, status: 'cancelled' });
    expect(await countOf()).toBe(1);
    await bot.api.finishMessageStream({ message_id: other.id, text: 'said', status: 'cancelled' });
  });
  expect(await countOf()).toBe(1);
});
