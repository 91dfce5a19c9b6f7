import { expect, test } from 'vitest';
import { trimLog } from '../stores/tend-log.ts';
import { createWorld } from '../world/world.ts';

test('LOG-17: a client that was away too long gets `truncated` and reloads everything', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.direct(alice, bob);
  const follower = await bob.follow();
  await follower.drop();
  await alice.api.sendMessage({ chat_id, text: 'meanwhile' });
  await trimLog(world.service, 0);
  await follower.connect();
  await world.settle();
  await follower.compare();
  expect(follower.recovered.reloads).toBe(1);
});

test(
  'SOCKET-9: a slow reader skips frames, sees the gap in the next one, and then fetches everything',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const { alice, bob } = await world.people('alice', 'bob');
    const bot = await world.bot(alice);
    const { id: chat_id } = await world.group(alice, bob);
    await alice.api.addGroupAgent({ chat_id, agent_username: bot.username });
    const slow = await bob.follow();
    const other = await bob.follow();
    slow.socket?.pause();
    for (let sent = 0; sent < 60; sent += 1)
      await bot.api.sendMessage({ chat_id, text: `${sent} ${'.'.repeat(200_000)}` });
    slow.socket?.resume();
    await world.settle();
    const last = await bot.api.sendMessage({ chat_id, text: 'last' });
    await slow.socket?.event('messageNew', ({ id }) => id === last.id);
    await slow.compare();
    await other.compare();
    expect(slow.recovered.frames).toBeGreaterThan(0);
    expect(other.recovered.frames).toBe(0);
  },
);

test('a client that misses an event differs from a fresh fetch', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.direct(alice, bob);
  const sent = await alice.api.sendMessage({ chat_id, text: 'one' });
  const acts = [
    () => alice.api.sendMessage({ chat_id, text: 'two' }),
    () => alice.api.setMessageReaction({ message_id: sent.id, emoji: '👍' }),
    () => alice.api.pinMessage({ chat_id, message_id: sent.id }),
    () => bob.api.saveDraft({ chat_id, text: 'draft' }),
    () => alice.api.sendMessage({ chat_id, text: 'in a thread', thread_root_id: sent.id }),
    () => alice.api.deleteMessages({ message_ids: [sent.id] }),
  ];
  for (const act of acts) {
    const deaf = await bob.follower().load();
    await act();
    await expect(deaf.compare()).rejects.toThrow();
  }
});

test('hidden messages are excluded for the account that hid them, not for others', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.direct(alice, bob);
  const followers = [await alice.follow(), await bob.follow()];
  const { id } = await alice.api.sendMessage({ chat_id, text: 'one' });
  await bob.api.deleteMessagesForMe({ message_ids: [id] });
  await world.settle();
  for (const follower of followers) await follower.compare();
  expect((await followers[0]?.fetch())?.find(id)).toBeDefined();
  expect((await followers[1]?.fetch())?.find(id)).toBeUndefined();
});
