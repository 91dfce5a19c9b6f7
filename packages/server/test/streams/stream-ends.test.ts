import { createWorld, ManualClock } from '@parley/testing';
import { describe, expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';
import { HeldStore } from '../helpers/held-store.ts';
import { refusingStore } from '../helpers/refusing-store.ts';
import { closed, messageOf, scene } from '../helpers/stream-stage.ts';

describe('STREAM-7: a reply whose daemon is dead fails after 60 s', () => {
  /** A bot with an open reply to a question, and a function that returns the reply's status after some time. */
  async function asked() {
    const clock = new ManualClock();
    const world = await createWorld({ clock });
    // Other nodes' reports about a bot take time (CLUSTER-24), so these tests use only the first node.
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

  test('with HTTP only, any call of the bot keeps the reply open', async () => {
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

  test.each(['over it', 'over HTTP'])(
    'a socket that was open when the stream was started %s keeps the reply open',
    async (how) => {
      const { world, bot, start, statusAfter } = await asked();
      await using _ = world;
      const daemon = await bot.socket();
      // `rpc` returns an unknown value; startMessageStream returns a Message.
      const { id } =
        how === 'over it'
          ? ((await daemon.rpc('startMessageStream', start)) as { id: string })
          : await bot.api.startMessageStream(start);
      // The socket answers pings; otherwise it would be closed after 75 s.
      expect(await statusAfter(70_000, id)).toBe('streaming');
      await daemon.close();
      expect(await statusAfter(58_000, id)).toBe('streaming');
      expect(await statusAfter(3_000, id)).toBe('failed');
    },
  );

  test('a daemon that was killed and restarted does not keep the reply open by other calls', async () => {
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

  test('another daemon of the bot does not keep the reply open', async () => {
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

  test('a daemon that reconnects keeps the reply open with an empty append', async () => {
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

test('STREAM-15, STREAM-16: the human who fired a failed reply gets an alert, whether the reply quotes the message or not', async () => {
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
  // This reply was not fired.
  await fail({});
  expect(sockets.map((socket) => socket.all('alert').length)).toEqual([0, 2]);
});

test.each(['', 'patch', 'focus', 'patch,focus'])(
  'DEL-5: text that waits for its number when its reply is deleted is never sent, with the caps "%s"',
  { tags: ['long'] },
  async (caps) => {
    const store = new HeldStore();
    const clock = new ManualClock();
    await using world = await createWorld({ clock, startStore: store.start });
    const { alice, bob, bot, reply } = await scene(world);
    const socket = await bob.socket(caps);
    await reply.append('known');
    // Waits until patches and activity that were delayed by their pace have been sent.
    await world.settle();
    await clock.advance(1_000);
    await world.settle();
    const before = socket.frames.length;
    const held = store.hold();
    const deletion = alice.api.deleteMessages({ message_ids: [reply.id] });
    await held;
    // Committed but not yet published: appends are still accepted.
    await bot.api.appendMessageStream({ message_id: reply.id, delta: ' and a secret', offset: 18 });
    store.release();
    await deletion;
    await clock.advance(1_000);
    await world.settle();
    expect(socket.methods.slice(before)).toEqual(['messageDeleted', 'typing']);
    expect(socket.all('messageDeleted')).toMatchObject([{ ids: [reply.id] }]);
  },
);

test(
  'TURN-9: if a bot is removed while its reply’s end is being stored, the reply is cancelled and fires no agent',
  { tags: ['long'] },
  async () => {
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
  },
);

test('BOT-4, TURN-9: deleting a bot ends its replies in groups and direct chats; they keep their text', async () => {
  await using world = await createWorld();
  const { alice, bot, reply } = await scene(world);
  const direct = await world.direct(alice, bot);
  const [half, empty] = [
    await bot.api.startMessageStream({ chat_id: direct.id }),
    await bot.api.startMessageStream({ chat_id: direct.id }),
  ];
  // Another node learns of the replies a moment later.
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

test('BOT-4, STREAM-18: a reply whose bot was deleted just before a crash ends at the next start', async () => {
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

test('STREAM-18: the end of a removed bot’s reply is retried while the store refuses it', async () => {
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
