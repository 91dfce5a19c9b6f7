import { createWorld, type World } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test } from 'vitest';
import { botIn, keyedAgent } from '../helpers/agents.ts';
import { HeldStore } from '../helpers/held-store.ts';
import { rowsIn } from '../helpers/rows-in.ts';
import { closed, messageOf, scene as streamScene } from '../helpers/stream-stage.ts';

const removed = { status: 'cancelled', finish_reason: 'removed' };

/** The group of the stream tests with a channel and another bot, and a person with a push subscription. */
async function scene(world: World) {
  const stage = await streamScene(world);
  const { alice, bob, chat, chat_id } = stage;
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'a channel' });
  const other = await botIn(world, alice, chat, 'other');
  await bob.api.registerPushToken({ platform: 'ios', token: 'bobs' });
  const pushed: number[] = [];
  for (const { push } of world.services) push.take = ({ messageKey }) => void pushed.push(messageKey);
  return { ...stage, channel_id, goOn: `@${other.username} go on`, pushed };
}

test('TURN-9, GROUP-13: if a channel is deleted while a reply’s end is being stored, the reply is cancelled, fires no agent and is not pushed', async () => {
  const store = new HeldStore();
  await using world = await createWorld({ startStore: store.start, settings: { pushes: true } });
  const { alice, bot, begin, chat_id, channel_id, goOn, pushed } = await scene(world);
  await (await begin({ channel_id })).finish();
  expect(pushed).toHaveLength(1);
  const { id: message_id } = await begin({ channel_id });
  const daemon = await bot.socket();
  const held = store.hold();
  const deletion = alice.api.deleteChannel({ chat_id, channel_id });
  await held;
  const end = daemon.rpc('streams.finish', { message_id, text: goOn });
  const behind = daemon.rpc('streams.append', { message_id, delta: '!', offset: 1 });
  await expect(behind).rejects.toMatchObject(closed);
  store.release();
  await deletion;
  expect(await end).toMatchObject({ ...removed, content: goOn, mentions: [], dispatch: [] });
  expect([await rowsIn(world, 'turns'), pushed.length]).toEqual([0, 1]);
});

test('TURN-9, GROUP-13: a provider agent’s reply is cancelled too if its channel is deleted while its end is being stored', async () => {
  const store = new HeldStore();
  await using world = await createWorld({ startStore: store.start, settings: { pushes: true } });
  const { alice, chat_id, channel_id, goOn, pushed } = await scene(world);
  const agent = await keyedAgent(world, alice);
  await alice.api.addGroupAgent({ chat_id, agent_username: agent.username });
  const reply = agent.steer();
  const socket = await alice.socket();
  await alice.api.sendMessage({ chat_id, channel_id, text: `@${agent.username} ?` });
  const { id } = await socket.event('messageNew', ({ status }) => status === 'streaming');
  await reply.started;
  reply.text(goOn);
  await socket.event('messageDelta', (delta) => delta.id === id);
  const before = pushed.length;
  const held = store.hold();
  const deletion = alice.api.deleteChannel({ chat_id, channel_id });
  await held;
  reply.end();
  while (world.openStream(id)?.state !== 'ending') await turnOfLoop();
  store.release();
  await deletion;
  expect(await socket.event('messageComplete', (message) => message.id === id)).toMatchObject({
    ...removed,
    content: goOn,
    dispatch: [],
  });
  expect([await rowsIn(world, "turns WHERE state <> 'cancelled'"), pushed.length]).toEqual([0, before]);
});

test(
  'TURN-9, BOT-4: a bot’s reply in a direct chat is cancelled if the bot is deleted while its end is being stored',
  { tags: ['long'] },
  async () => {
    const store = new HeldStore();
    await using world = await createWorld({ startStore: store.start });
    const { alice, bot } = await scene(world);
    const { id: chat_id } = await world.direct(alice, bot);
    const { id: message_id } = await bot.api.startMessageStream({ chat_id });
    const daemon = await bot.socket();
    const held = store.hold();
    const deletion = alice.api.deleteBot({ username: bot.username });
    await held;
    // The socket closes before the answer.
    const end = daemon.rpc('streams.finish', { message_id, text: 'too late' }).catch(() => {});
    const behind = daemon.rpc('streams.append', { message_id, delta: '!', offset: 1 });
    await expect(behind).rejects.toMatchObject(closed);
    store.release();
    await deletion;
    await end;
    await world.settle();
    expect(await messageOf(alice, message_id)).toMatchObject({ ...removed, content: 'too late' });
  },
);
