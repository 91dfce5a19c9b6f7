import { type Actor, createWorld } from '@parley/testing';
import { expect, test } from 'vitest';
import { agentChat } from '../helpers/agents.ts';
import { HeldStore } from '../helpers/held-store.ts';
import { rowsIn } from '../helpers/rows-in.ts';
import { closed, messageOf } from '../helpers/stream-stage.ts';

const removed = { status: 'cancelled', finish_reason: 'removed' };

test('BLOCK-3: open replies of a bot in a direct chat end if the bot or its owner is blocked; in groups they continue', async () => {
  await using world = await createWorld();
  const { anna, ben, carl } = await world.people('anna', 'ben', 'carl');
  const bot = await world.bot(ben);
  await ben.api.setBotConfig({ username: bot.username, is_public: true });
  const { id: group } = await world.group(ben, anna);
  await ben.api.addGroupAgent({ chat_id: group, agent_username: bot.username });
  for (const [blocker, blocked] of [
    [anna, ben],
    [carl, bot],
  ] as const) {
    const { id: chat_id } = await world.direct(blocker, bot);
    const streams = [];
    for (const place of [chat_id, group]) {
      const { id: message_id } = await bot.api.startMessageStream({ chat_id: place });
      await bot.api.appendMessageStream({ message_id, delta: 'half', offset: 4 });
      streams.push(message_id);
    }
    const [direct = '', inGroup = ''] = streams;
    const watching = await blocker.socket();
    await blocker.api.blockUser({ username: blocked.username });
    await expect(bot.api.appendMessageStream({ message_id: direct, delta: '!', offset: 5 })).rejects.toMatchObject(
      closed,
    );
    await expect(bot.api.finishMessageStream({ message_id: direct, text: 'more' })).rejects.toMatchObject(closed);
    expect(await watching.event('messageComplete', ({ id }) => id === direct)).toMatchObject({
      ...removed,
      content: 'half',
    });
    await bot.api.finishMessageStream({ message_id: inGroup, text: 'goes on' });
    expect(await messageOf(ben, inGroup)).toMatchObject({ status: 'complete', content: 'goes on' });
  }
});

test('BLOCK-3: a block ends a provider agent’s reply, and its waiting turns', async () => {
  await using world = await createWorld();
  const olga = await world.person('olga');
  const { agent, chat } = await agentChat(world, olga);
  const reply = agent.steer();
  const watching = await olga.socket();
  await olga.api.sendMessage({ chat_id: chat.id, text: 'question' });
  await reply.started;
  reply.text('half');
  await watching.event('messageDelta');
  await olga.api.blockUser({ username: agent.username });
  expect(await watching.event('messageComplete', ({ sender }) => sender.kind === 'agent')).toMatchObject({
    ...removed,
    content: 'half',
  });
  await world.turnsEnded();
  expect(await rowsIn(world, "turns WHERE state IN ('queued', 'streaming')")).toBe(0);
});

test(
  'BLOCK-3, TURN-9: if a bot is blocked while the end of its reply is being stored, the reply is cancelled',
  { tags: ['long'] },
  async () => {
    const store = new HeldStore();
    await using world = await createWorld({ startStore: store.start });
    const { anna } = await world.people('anna');
    const bot = await world.bot(anna);
    const { id: chat_id } = await world.direct(anna, bot);
    const { id: message_id } = await bot.api.startMessageStream({ chat_id });
    const daemon = await bot.socket();
    const held = store.hold();
    const block = anna.api.blockUser({ username: bot.username });
    await held;
    const end = daemon.rpc('streams.finish', { message_id, text: 'too late' });
    const behind = daemon.rpc('streams.append', { message_id, delta: '!', offset: 1 });
    await expect(behind).rejects.toMatchObject(closed);
    store.release();
    await block;
    expect(await end).toMatchObject({ ...removed, content: 'too late' });
  },
);

test('BLOCK-3, STREAM-18: a reply whose bot was blocked just before a crash ends at the next start', async () => {
  await using world = await createWorld();
  const { anna } = await world.people('anna');
  const bot = await world.bot(anna);
  const { id: chat_id } = await world.direct(anna, bot);
  const { id: message_id } = await bot.api.startMessageStream({ chat_id });
  await bot.api.appendMessageStream({ message_id, text: 'half' });
  for (const service of world.services) Object.assign(service.replyEnds, { close: async () => undefined });
  await anna.api.blockUser({ username: bot.username });
  await world.crash();
  expect(await messageOf(anna, message_id)).toMatchObject({ ...removed, content: 'half' });
});

test(
  'BLOCK-8: a block between owners of 200 bots each takes no longer than any other',
  { tags: ['long'], timeout: 60_000 },
  async () => {
    await using world = await createWorld();
    const people = await world.people('alice', 'bob', 'carl', 'dora', 'emil');
    const { alice, bob, carl, dora, emil } = people;
    for (const owner of [alice, bob])
      for (let at = 0; at < 200; at += 1) await owner.api.createBot({ slug: `b${at}`, display_name: 'Bot' });
    const timeOf = async (username: string) => {
      const startedAt = performance.now();
      await alice.api.blockUser({ username });
      return performance.now() - startedAt;
    };
    const others = [await timeOf(carl.username), await timeOf(dora.username), await timeOf(emil.username)];
    const usual = others.toSorted((a, b) => a - b)[1] ?? 0;
    expect(await timeOf(bob.username)).toBeLessThan(10 * usual + 100);
  },
);

test('BLOCK-8: a block ends open replies between the agents of both owners, and no others', async () => {
  await using world = await createWorld();
  const { alice, bob, carl } = await world.people('alice', 'bob', 'carl');
  const [hers, his] = [await world.bot(alice, 'hers'), await world.bot(bob, 'his')];
  await bob.api.setBotConfig({ username: his.username, is_public: true });
  await alice.api.setBotConfig({ username: hers.username, is_public: true });
  const replyIn = async (one: Actor, author: Actor): Promise<string> => {
    const { id: chat_id } = await world.direct(one, author);
    const { id: message_id } = await author.api.startMessageStream({ chat_id });
    await author.api.appendMessageStream({ message_id, delta: 'half', offset: 4 });
    return message_id;
  };
  const ended = [await replyIn(alice, his), await replyIn(bob, hers), await replyIn(his, hers)];
  const open = [await replyIn(alice, hers), await replyIn(carl, hers), await replyIn(bob, his)];
  await alice.api.blockUser({ username: 'bob' });
  for (const message_id of ended.slice(0, 1))
    await expect(his.api.finishMessageStream({ message_id, text: 'x' })).rejects.toMatchObject(closed);
  for (const message_id of ended.slice(1))
    await expect(hers.api.finishMessageStream({ message_id, text: 'x' })).rejects.toMatchObject(closed);
  for (const [at, author] of [hers, hers, his].entries())
    expect(await author.api.finishMessageStream({ message_id: open[at] ?? '', text: 'x' })).toMatchObject({
      status: 'complete',
    });
});
