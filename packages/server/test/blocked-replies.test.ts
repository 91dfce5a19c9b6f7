import { createWorld } from '@parley/testing';
import { expect, test } from 'vitest';
import { agentChat } from './agents.ts';
import { HeldStore } from './held-store.ts';
import { rowsIn } from './rows-in.ts';
import { closed, messageOf } from './stream-stage.ts';

const removed = { status: 'cancelled', finish_reason: 'removed' };

test('BLOCK-3: the open replies of a blocked bot in the direct chat end, whoever of its people was blocked; in groups they go on', async () => {
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

test('BLOCK-3: a reply of the service’s own agent ends with the block, and so does what waits', async () => {
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

test('BLOCK-3, TURN-9: the end of a reply that was on its way when its bot was blocked is a cancellation', async () => {
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
});

test('BLOCK-3, STREAM-18: a reply whose bot was blocked just before a crash ends with the start', async () => {
  await using world = await createWorld();
  const { anna } = await world.people('anna');
  const bot = await world.bot(anna);
  const { id: chat_id } = await world.direct(anna, bot);
  const { id: message_id } = await bot.api.startMessageStream({ chat_id });
  await bot.api.appendMessageStream({ message_id, text: 'half' });
  for (const service of world.services) service.closeStream = async () => undefined;
  await anna.api.blockUser({ username: bot.username });
  await world.crash();
  expect(await messageOf(anna, message_id)).toMatchObject({ ...removed, content: 'half' });
});
