import { createWorld, ManualClock } from '@parley/testing';
import { describe, expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';
import { HeldStore } from '../helpers/held-store.ts';
import { refusingStore } from '../helpers/refusing-store.ts';
import { closed, messageOf, scene } from '../helpers/stream-stage.ts';

describe('STREAM-7: a reply whose daemon has gone away fails after 60 s', () => {
  /** A bot that was asked something, and whether its reply is still open. */
  async function asked() {
    const clock = new ManualClock();
    const world = await createWorld({ clock });
    // What other nodes tell of a bot takes its time (CLUSTER-24), which these tests leap over.
    world.stayOnFirst();
    const { alice, bot, chat_id } = await scene(world);
    const question = await alice.api.sendMessage({ chat_id, text: `@${bot.username} ?` });
    const start = { chat_id, reply_to_message_id: question.id };
    const statusAfter = async (ms: number, id: string) => {
      await clock.advance(ms);
      await world.settle();
      return (await messageOf(alice, id))?.status;
    };
    return { world, clock, alice, bot, start, statusAfter };
  }

  test('over HTTP alone: any call of the bot keeps it', async () => {
    const { world, alice, bot, start, statusAfter } = await asked();
    await using _ = world;
    const reader = await alice.socket();
    const { id } = await bot.api.startMessageStream(start);
    expect(await statusAfter(59_000, id)).toBe('streaming');
    await bot.api.getMe();
    expect(await statusAfter(59_000, id)).toBe('streaming');
    expect(await statusAfter(2_000, id)).toBe('failed');
    const end = await reader.event('messageComplete', (message) => message.id === id);
    expect(end).toMatchObject({ status: 'failed', finish_reason: 'lease' });
    expect(await reader.event('alert')).toMatchObject({ level: 'error', from: { username: bot.username } });
  });

  test.each(['over it', 'over HTTP'])('a socket that was open when the stream was started %s keeps it', async (how) => {
    const { world, bot, start, statusAfter } = await asked();
    await using _ = world;
    const daemon = await bot.socket();
    // As the method of this name answers.
    const { id } =
      how === 'over it'
        ? ((await daemon.rpc('startMessageStream', start)) as { id: string })
        : await bot.api.startMessageStream(start);
    // A socket that answers no ping would be closed after 75 s.
    expect(await statusAfter(70_000, id)).toBe('streaming');
    await daemon.close();
    expect(await statusAfter(58_000, id)).toBe('streaming');
    expect(await statusAfter(3_000, id)).toBe('failed');
  });

  test('a bot that was killed and is back at once does not keep it, whatever else it does', async () => {
    const { world, clock, bot, start, statusAfter } = await asked();
    await using _ = world;
    const daemon = await bot.socket();
    const { id } = (await daemon.rpc('startMessageStream', start)) as { id: string }; // as above
    await clock.advance(1_000);
    await daemon.close();
    const next = await bot.socket();
    for (let seconds = 0; seconds < 50; seconds += 10) {
      expect(await statusAfter(10_000, id)).toBe('streaming');
      await next.rpc('getMe', {});
      await bot.api.getMe();
    }
    expect(await statusAfter(12_000, id)).toBe('failed');
  });

  test('of two daemons of one bot the other one does not keep it', async () => {
    const { world, clock, bot, start, statusAfter } = await asked();
    await using _ = world;
    await bot.socket();
    await clock.advance(1_000);
    const daemon = await bot.socket();
    const { id } = (await daemon.rpc('startMessageStream', start)) as { id: string }; // as above
    expect(await statusAfter(70_000, id)).toBe('streaming');
    await daemon.close();
    expect(await statusAfter(62_000, id)).toBe('failed');
  });

  test('a daemon that reconnects keeps it with an append of nothing', async () => {
    const { world, clock, bot, start, statusAfter } = await asked();
    await using _ = world;
    const daemon = await bot.socket();
    const { id } = (await daemon.rpc('startMessageStream', start)) as { id: string }; // as above
    await clock.advance(1_000);
    await daemon.close();
    const again = await bot.socket();
    await clock.advance(30_000);
    await again.rpc('appendMessageStream', { message_id: id, delta: '', offset: 0 });
    expect(await statusAfter(70_000, id)).toBe('streaming');
    await again.close();
    expect(await statusAfter(62_000, id)).toBe('failed');
  });
});

test('STREAM-15, STREAM-16: whoever fired a reply that failed is told, whether it quotes them or not', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, chat_id, reply } = await scene(world);
  const sockets = [await alice.socket(), await bob.socket()] as const;
  await reply.finish('failed');
  const ask = () => bob.api.sendMessage({ chat_id, text: `@${bot.username} ?` });
  const fail = async (more: object) => {
    const { id } = await bot.api.startMessageStream({ chat_id, ...more });
    await bot.api.finishMessageStream({ message_id: id, status: 'failed' });
    await world.settle();
  };
  await fail({ reply_to_message_id: (await ask()).id });
  expect(sockets.map((socket) => socket.all('alert').length)).toEqual([0, 1]);
  await ask();
  await fail({});
  expect(sockets.map((socket) => socket.all('alert').length)).toEqual([0, 2]);
  // Nobody fired this one.
  await fail({});
  expect(sockets.map((socket) => socket.all('alert').length)).toEqual([0, 2]);
});

test.each(['', 'patch', 'focus', 'patch,focus'])(
  'DEL-5: text that waits for its number when its reply is deleted reaches nobody, with the caps "%s"',
  async (caps) => {
    const store = new HeldStore();
    const clock = new ManualClock();
    await using world = await createWorld({ clock, startStore: store.start });
    const { alice, bob, bot, reply } = await scene(world);
    const socket = await bob.socket(caps);
    await reply.append('known');
    // Nothing is held back by its pace.
    await world.settle();
    await clock.advance(1_000);
    await world.settle();
    const before = socket.frames.length;
    const held = store.hold();
    const deletion = alice.api.deleteMessages({ message_ids: [reply.id] });
    await held;
    // Committed, but nobody knows: the reply still takes text.
    await bot.api.appendMessageStream({ message_id: reply.id, delta: ' and a secret', offset: 18 });
    store.release();
    await deletion;
    await clock.advance(1_000);
    await world.settle();
    expect(socket.methods.slice(before)).toEqual(['messageDeleted', 'typing']);
    expect(socket.all('messageDeleted')).toMatchObject([{ ids: [reply.id] }]);
  },
);

test('TURN-9: an end that was on its way when the bot was taken out is a cancellation, and fires nobody', async () => {
  const store = new HeldStore();
  await using world = await createWorld({ startStore: store.start });
  const { alice, bot, chat, chat_id, reply } = await scene(world);
  const other = await botIn(world, alice, chat, 'other');
  const daemon = await bot.socket();
  const held = store.hold();
  const removal = alice.api.removeGroupAgent({ chat_id, agent_username: bot.username });
  await held;
  const end = daemon.rpc('streams.finish', { message_id: reply.id, text: `@${other.username} go on` });
  const behind = daemon.rpc('streams.append', { message_id: reply.id, delta: '!', offset: 1 });
  await expect(behind).rejects.toMatchObject(closed);
  store.release();
  await removal;
  expect(await end).toMatchObject({ status: 'cancelled', finish_reason: 'removed', mentions: [], dispatch: [] });
});

test('BOT-4, TURN-9: deleting a bot ends its replies in groups and direct chats, with the text they have', async () => {
  await using world = await createWorld();
  const { alice, bot, reply } = await scene(world);
  const direct = await world.direct(alice, bot);
  const [half, empty] = [
    await bot.api.startMessageStream({ chat_id: direct.id }),
    await bot.api.startMessageStream({ chat_id: direct.id }),
  ];
  // Another node hears a moment later that they have begun.
  await world.settle();
  const socket = await alice.socket();
  await reply.append('one');
  await bot.api.appendMessageStream({ message_id: half.id, delta: 'two', offset: 3 });
  await alice.api.deleteBot({ username: bot.username });
  const ended = { status: 'cancelled', finish_reason: 'removed' };
  expect(await socket.event('messageComplete', ({ id }) => id === reply.id)).toMatchObject({
    ...ended,
    content: 'one',
  });
  expect(await socket.event('messageComplete', ({ id }) => id === half.id)).toMatchObject({ ...ended, content: 'two' });
  expect(await socket.event('messageDeleted')).toMatchObject({ ids: [empty.id] });
  await world.settle();
  const typing = socket.all('typing').map(({ is_typing }) => is_typing);
  expect(typing).toEqual([false, false, false]);
});

test('BOT-4, STREAM-18: a reply whose bot was deleted just before a crash ends with the start', async () => {
  const store = refusingStore(['closeStream'], Infinity);
  await using world = await createWorld({ startStore: store.start, expectsErrors: true });
  const { alice, bot } = await scene(world);
  const direct = await world.direct(alice, bot);
  const { id } = await bot.api.startMessageStream({ chat_id: direct.id });
  await bot.api.appendMessageStream({ message_id: id, delta: 'half', offset: 4 });
  await alice.api.deleteBot({ username: bot.username });
  expect(await messageOf(alice, id)).toMatchObject({ status: 'streaming' });
  await world.crash();
  expect(await messageOf(alice, id)).toMatchObject({ status: 'cancelled', content: 'half' });
});

test('STREAM-18: the end of a reply whose bot was taken out is tried again while the store refuses it', async () => {
  const clock = new ManualClock();
  const store = refusingStore(['closeStream'], 2);
  await using world = await createWorld({ clock, startStore: store.start, expectsErrors: true });
  const { alice, bot, chat_id, reply } = await scene(world);
  const socket = await alice.socket();
  await reply.append('half');
  await alice.api.removeGroupAgent({ chat_id, agent_username: bot.username });
  await world.settle();
  await expect(reply.append(' and more')).rejects.toMatchObject({ status: 409 });
  await clock.advance(2_000);
  expect(await socket.event('messageComplete')).toMatchObject({ status: 'cancelled', content: 'half' });
});
