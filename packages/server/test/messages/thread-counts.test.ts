import { checkReplay, createWorld, ManualClock } from '@parley/testing';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';

test('MSG-14: `last_at` is the time of the newest reply that is not deleted', { tags: ['long'] }, async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const chat_id = chat.id;
  const bot = await botIn(world, alice, chat);
  const root = await alice.api.sendMessage({ chat_id, text: 'a root' });
  const inThread = { chat_id, thread_root_id: root.id };
  const reply = async () => {
    await clock.advance(1_000);
    return alice.api.sendMessage({ ...inThread, text: 'a reply' });
  };
  const threadOf = async () => (await bob.api.getMessages({ message_ids: [root.id] })).items[0]?.thread;
  const remove = (...message_ids: string[]) =>
    checkReplay(world, [alice, bob], () => alice.api.deleteMessages({ message_ids }));

  const [one, two, three, four] = [await reply(), await reply(), await reply(), await reply()];
  await remove(four.id);
  expect(await threadOf()).toEqual({ count: 3, last_at: three.created_at });
  // Deleting an older reply keeps the time.
  await remove(two.id);
  expect(await threadOf()).toEqual({ count: 2, last_at: three.created_at });

  // A reply that ends without a text counts as deleted.
  await clock.advance(1_000);
  const stream = await bot.api.startMessageStream(inThread);
  expect(await threadOf()).toEqual({ count: 3, last_at: stream.created_at });
  await bot.api.finishMessageStream({ message_id: stream.id, status: 'cancelled' });
  expect(await threadOf()).toEqual({ count: 2, last_at: three.created_at });

  await remove(one.id, three.id);
  expect(await threadOf()).toBeUndefined();
  const last = await reply();
  expect(await threadOf()).toEqual({ count: 1, last_at: last.created_at });
});
