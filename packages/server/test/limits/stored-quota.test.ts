import { faults } from '@parley/server/store/references.ts';
import { type Actor, createWorld, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { expect, test } from 'vitest';
import { botIn, keyedAgent } from '../helpers/agents.ts';
import { upload } from '../helpers/file-stage.ts';

const QUOTA = 1_000_000;
/** The password of every `world.member`. */
const PASSWORD = 'correct horse battery staple';
const tooLarge = { code: 'too_large', status: 413 };
const text = (bytes: number): string => 'x'.repeat(bytes);

/** Expects the counters to match the rows. */
async function expectCounted(world: World): Promise<void> {
  const count = faults['owners whose stored bytes are counted wrongly'];
  expect(await world.sql(count?.sql ?? '')).toEqual([{ count: 0 }]);
}

/** Sends messages of this size concurrently; returns how many were stored. All others must have been refused. */
async function fill(senders: readonly Actor[], chatId: string, bytes: number, each: number): Promise<number> {
  const sent = await Promise.allSettled(
    senders.flatMap(({ api }) =>
      Array.from({ length: each }, () => api.sendMessage({ chat_id: chatId, text: text(bytes) })),
    ),
  );
  for (const one of sent) if (one.status === 'rejected') expect(one.reason).toMatchObject(tooLarge);
  return sent.filter(({ status }) => status === 'fulfilled').length;
}

test(
  'LIMIT-22: ten bots of one person fill its quota together, and are refused together',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld({ env: { MAX_STORED_BYTES: String(QUOTA) } });
    const { alice, bob } = await world.people('alice', 'bob');
    const chat = await world.group(alice, bob);
    const { id: chat_id } = chat;
    const bots: Actor[] = [];
    for (let at = 0; at < 10; at += 1) bots.push(await botIn(world, alice, chat, `bot${at}`));
    // The messages of each bot alone would fit.
    expect(await fill(bots, chat_id, 30_000, 5)).toBe(33);
    for (const { api } of [...bots, alice])
      expect(await failure(api.sendMessage({ chat_id, text: text(30_000) }))).toMatchObject(tooLarge);
    expect(await failure(upload(alice, Buffer.alloc(30_000)))).toMatchObject(tooLarge);
    await bob.api.sendMessage({ chat_id, text: text(30_000) });
    await expectCounted(world);
    await world.crash();
    expect(await failure(alice.api.sendMessage({ chat_id, text: text(30_000) }))).toMatchObject(tooLarge);

    // Deletions free the same amount for all of them.
    const { items } = await bob.api.getChatHistory({ chat_id, limit: 100 });
    const ids = items.filter(({ sender }) => sender.kind === 'agent').map(({ id }) => id);
    await alice.api.deleteMessages({ message_ids: ids.slice(0, 2) });
    expect(await fill([alice, ...bots], chat_id, 30_000, 1)).toBe(2);
    // Deleting a bot frees nothing: its messages stay.
    await alice.api.deleteBot({ username: `${alice.username}:bot0` });
    expect(await failure(alice.api.sendMessage({ chat_id, text: text(30_000) }))).toMatchObject(tooLarge);
    await expectCounted(world);
  },
);

test('LIMIT-22: messages that a person sends at once fill the quota exactly', async () => {
  await using world = await createWorld({ env: { MAX_STORED_BYTES: String(QUOTA) } });
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.group(alice, bob);
  expect(await fill([alice], chat_id, 30_000, 40)).toBe(33);
  await expectCounted(world);
});

test('LIMIT-22: at the quota everything that stores text is refused; reading, retrying, shortening and deleting still work', async () => {
  await using world = await createWorld({ env: { MAX_STORED_BYTES: String(QUOTA) } });
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const { id: chat_id } = chat;
  const bot = await botIn(world, alice, chat);
  const agent = await keyedAgent(world, alice);
  await alice.api.addGroupAgent({ chat_id, agent_username: agent.username });
  const long = await bob.api.sendMessage({ chat_id, text: text(30_000) });
  const buttons = await bot.api.sendMessage({ chat_id, text: '{% button action="vote:yes" /%}' });
  const first = { chat_id, text: text(30_000), client_msg_id: 'first' };
  const own = await alice.api.sendMessage(first);
  await fill([alice], chat_id, 32_000, 30);
  await fill([alice], chat_id, 1_000, 30);
  await fill([alice], chat_id, 1, 30);
  await expectCounted(world);

  const refused: (() => Promise<unknown>)[] = [
    () => alice.api.sendMessage({ chat_id, text: text(500) }),
    () => alice.api.sendMessage({ chat_id, text: '', service: { kind: 'note', data: text(500) } }),
    () => alice.api.forwardMessages({ message_ids: [long.id], to_chat_id: chat_id }),
    () => alice.api.editMessage({ message_id: own.id, text: text(32_000) }),
    () => bot.api.startMessageStream({ chat_id }),
    () => upload(alice, Buffer.from('hello')),
  ];
  for (const call of refused) expect(await failure(call())).toMatchObject(tooLarge);
  expect(await alice.api.sendMessage(first)).toEqual(own);
  expect((await alice.api.getChatHistory({ chat_id })).items).not.toEqual([]);
  await alice.api.setMessageReaction({ message_id: own.id, emoji: '👍' });
  // Its replies use its owner's storage.
  await bob.api.sendMessage({ chat_id, text: `@${agent.username} hello` });
  await world.turnsEnded();
  const { items } = await bob.api.getChatHistory({ chat_id });
  expect(items.findLast(({ sender }) => sender.username === agent.username)).toMatchObject({
    status: 'failed',
    finish_reason: 'storage_full',
  });
  expect(world.providers.requestsOf(agent.key)).toEqual([]);
  expect(
    await failure(bob.api.sendComponentAction({ chat_id, message_id: buttons.id, action: 'vote:yes' })),
  ).toMatchObject(tooLarge);

  await alice.api.editMessage({ message_id: own.id, text: 'short' });
  await bob.api.sendComponentAction({ chat_id, message_id: buttons.id, action: 'vote:yes' });
  await alice.api.sendMessage({ chat_id, text: text(20_000) });
  await expectCounted(world);
});

test('LIMIT-22: an open reply of a person’s bot reserves the maximum size of its text when it starts', async () => {
  await using world = await createWorld({ env: { MAX_STORED_BYTES: String(QUOTA) } });
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const { id: chat_id } = chat;
  const one = await botIn(world, alice, chat, 'one');
  const two = await botIn(world, alice, chat, 'two');
  const started: { api: Actor['api']; message_id: string }[] = [];
  const start = async ({ api }: Actor) => {
    const { id: message_id } = await api.startMessageStream({ chat_id });
    started.push({ api, message_id });
  };
  for (const bot of [one, two, one]) await start(bot);
  for (const bot of [one, two]) expect(await failure(start(bot))).toMatchObject(tooLarge);
  for (const { api, message_id } of started) {
    const offset = 262_144;
    await api.appendMessageStream({ message_id, delta: text(offset), offset });
    await api.finishMessageStream({ message_id });
  }
  await expectCounted(world);
  expect(await fill([alice], chat_id, 30_000, 10)).toBe(7);
  // A stopped reply without text leaves no message.
  await alice.api.deleteMessages({ message_ids: started.map(({ message_id }) => message_id) });
  const { id: message_id } = await one.api.startMessageStream({ chat_id });
  await one.api.finishMessageStream({ message_id, status: 'cancelled' });
  await expectCounted(world);
});

test('LIMIT-22: deletions by others, and with an account, are credited to the sender’s quota', async () => {
  await using world = await createWorld();
  const members = [await world.member('ann'), await world.member('ben')] as const;
  const [ann, ben] = members;
  const chat = await world.group(ann, ben);
  const said = [];
  for (const { api } of [...members, ...members])
    said.push(await api.sendMessage({ chat_id: chat.id, text: text(9_000) }));
  // The group's owner deletes messages of both people while they delete some themselves.
  await Promise.all([
    ann.api.deleteMessages({ message_ids: said.slice(0, 2).map(({ id }) => id) }),
    ben.api.sendMessage({ chat_id: chat.id, text: 'one more' }),
    ben.api.deleteMessages({ message_ids: said.map(({ id }) => id) }),
  ]);
  await expectCounted(world);
  await ben.api.deleteAccount({ password: PASSWORD });
  await ann.api.deleteAccount({ password: PASSWORD });
  await world.settle();
  await expectCounted(world);
});

test('ADMIN-16: deleting messages that an older version stored uncounted leaves the count at 0', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.direct(alice, bob);
  const { id } = await alice.api.sendMessage({ chat_id, text: text(10_000) });
  await world.sql('UPDATE stored_bytes SET bytes = 10');
  await alice.api.deleteMessages({ message_ids: [id] });
  expect(await world.sql('SELECT bytes FROM stored_bytes')).toEqual([{ bytes: 0 }]);
  await expectCounted(world);
});
