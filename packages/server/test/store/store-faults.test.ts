import { ApiError } from '@parley/client';
import { createWorld, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { SteeredStore } from '@parley/testing/stores/steered-store.ts';
import { expect, test } from 'vitest';

/** A world whose store the test can break. */
async function brokenWorld(): Promise<{ world: World; store: SteeredStore }> {
  const store = new SteeredStore();
  return { store, world: await createWorld({ startStore: store.start, expectsErrors: true }) };
}

const unavailable = { name: ApiError.name, status: 503, code: 'unavailable' };

test('STORE-4, ERR-10: while commits fail every write is 503, nothing is published, and memory does not change', async () => {
  const { store, world } = await brokenWorld();
  await using _ = world;
  const { alice, bob, carol } = await world.people('alice', 'bob', 'carol');
  const bot = await world.bot(alice);
  const chat = await world.group(alice, bob);
  await alice.api.addGroupAgent({ chat_id: chat.id, agent_username: bot.username });
  const chat_id = chat.id;
  const sent = await alice.api.sendMessage({ chat_id, text: 'before' });
  const stream = await bot.api.startMessageStream({ chat_id });
  await world.settle();
  const sockets = [await alice.socket(), await bob.socket(), await carol.socket()];
  const follower = await bob.follow();

  store.failCommits(true);
  const refused = [
    alice.api.sendMessage({ chat_id, text: 'lost' }),
    alice.api.addMembers({ chat_id, usernames: ['carol'] }),
    alice.api.removeMember({ chat_id, username: 'bob' }),
    bob.api.leaveChat({ chat_id }),
    bob.api.setMessageReaction({ message_id: sent.id, emoji: '👍' }),
    alice.api.deleteMessages({ message_ids: [sent.id] }),
    alice.api.pinMessage({ chat_id, message_id: sent.id }),
    alice.api.saveDraft({ chat_id, text: 'lost' }),
    alice.api.createChannel({ chat_id, title: 'lost' }),
    carol.api.startChat({ username: 'alice' }),
    bot.api.finishMessageStream({ message_id: stream.id, text: 'lost' }),
  ];
  for (const error of await Promise.all(refused.map(failure))) expect(error).toMatchObject(unavailable);
  await world.settle();
  expect(sockets.flatMap(({ frames }) => frames)).toEqual([]);

  store.failCommits(false);
  await world.settle();
  const heard = await alice.api.sendMessage({ chat_id, text: 'after' });
  await bot.api.finishMessageStream({ message_id: stream.id, text: 'the reply' });
  await world.settle();
  const [ofAlice, ofBob, ofCarol] = sockets.map(({ frames }) =>
    frames.filter(({ method }) => method !== 'events.typing'),
  );
  expect(ofBob?.map(({ method }) => method)).toContain('events.messageComplete');
  expect(ofAlice).toEqual(ofBob);
  expect(ofCarol).toEqual([]);
  expect(heard.position).toBeGreaterThan(sent.position);
  await follower.compare();
  expect(await failure(carol.api.getChatHistory({ chat_id }))).toMatchObject({ status: 403 });
});

test('STORE-4: with a full disk sends are 503 until there is space, and acknowledged messages are kept', async () => {
  const { store, world } = await brokenWorld();
  await using _ = world;
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.direct(alice, bob);
  const follower = await bob.follow();
  const answered: string[] = [];
  const send = async (text: string) => {
    const error = await failure(alice.api.sendMessage({ chat_id, text: text.padEnd(8_000, '.') }));
    if (error === undefined) answered.push(text);
    else expect(error).toMatchObject(unavailable);
  };
  await send('before');
  store.fillDisk();
  for (let round = 0; round < 10; round += 1)
    await Promise.all(Array.from({ length: 10 }, (_, at) => send(`${round}/${at}`)));
  expect(answered.length).toBeLessThan(100);
  store.freeDisk();
  await send('after');
  expect(answered.at(-1)).toBe('after');
  await world.settle();
  await follower.compare();
  const { items } = await alice.api.getChatHistory({ chat_id, limit: 200 });
  expect(items.map(({ content }) => content.replace(/\.+$/, '')).toSorted()).toEqual(answered.toSorted());
});
