import { ManualClock, type TestSocket } from '@parley/testing';
import { type PushStage, withPushes } from '@parley/testing/push/push-stage.ts';
import { describe, expect, test } from 'vitest';

/** A stage with a manual clock; Bob has a socket. */
const withSocket = (work: (stage: PushStage & Cast) => Promise<void>) => {
  const clock = new ManualClock();
  const play = async (stage: PushStage) => {
    const cast = await stage.aliceAndBob();
    const socket = await cast.bob.socket();
    await stage.world.settle();
    await work({ ...stage, ...cast, socket, clock });
  };
  return withPushes(play, { clock });
};
type Cast = Awaited<ReturnType<PushStage['aliceAndBob']>> & { socket: TestSocket; clock: ManualClock };

describe('live accounts', () => {
  test('PUSH-8: nothing is pushed to an account with a sign of life from a socket within 40 s', () =>
    withSocket(async ({ say, pushed, push, clock, socket, world }) => {
      await say('at once');
      await clock.advance(20_000);
      await world.settle(); // the socket answers
      socket.pause();
      await clock.advance(40_000);
      await say('40 s later');
      await pushed();
      expect(push.requests).toBe(0);
    }));

  test('PUSH-8: an open socket that has been silent for longer is not live', () =>
    withSocket(async ({ say, push, clock, socket }) => {
      socket.pause();
      await clock.advance(40_001);
      await say('hello?');
      await push.nth('bob');
      expect(socket.isOpen).toBe(true);
    }));

  test('PUSH-8: one live socket of several is enough', () =>
    withSocket(async ({ say, pushed, push, clock, socket, bob, world }) => {
      socket.pause();
      await clock.advance(30_000);
      await bob.socket('nodrafts');
      await clock.advance(20_000);
      await world.settle();
      await say('hello');
      await pushed();
      expect(push.requests).toBe(0);
      await clock.advance(30_000); // the silent socket counts as dead
      await pushed();
      expect(push.requests).toBe(0);
    }));
});

describe('dead sockets', () => {
  test('PUSH-9: after 75 s of silence everything sent since the last sign of life is pushed, once', () =>
    withSocket(async ({ say, pushed, push, clock, socket, world }) => {
      await say('seen');
      await clock.advance(10);
      await world.settle();
      socket.pause();
      await say('swallowed');
      await clock.advance(30_000);
      await say('swallowed too');
      await pushed();
      expect(push.requests).toBe(0);
      await clock.advance(12_000);
      await say('pushed at once');
      await push.nth('bob');
      await clock.advance(35_000);
      await pushed();
      expect(push.bodies('bob')).toEqual(['pushed at once', 'swallowed', 'swallowed too']);
      expect(world.sum(({ sockets }) => sockets.count)).toBe(0);
    }));

  test('PUSH-9: messages read in the meantime, over HTTP or on another device, are not pushed', () =>
    withSocket(async ({ bob, chat_id, say, pushed, push, clock, socket }) => {
      socket.pause();
      const { id } = await say('read elsewhere');
      await say('not read');
      await bob.api.markRead({ chat_id, message_id: id });
      await clock.advance(77_000);
      await pushed();
      expect(push.bodies('bob')).toEqual(['not read']);
    }));

  test('PUSH-9: messages deleted or muted in the meantime are not pushed', () =>
    withSocket(async ({ alice, bob, chat_id, say, pushed, push, clock, socket }) => {
      socket.pause();
      const { id } = await say('deleted');
      await say('muted');
      await alice.api.deleteMessages({ message_ids: [id] });
      await bob.api.setChatNotifications({ chat_id, is_muted: true, mute_for: 60 * 60 });
      await clock.advance(77_000);
      await pushed();
      expect(push.requests).toBe(0);
    }));

  test('PUSH-9: a broken connection counts as dead immediately', () =>
    withSocket(async ({ say, push, socket }) => {
      await say('lost with it');
      await socket.terminate();
      expect((await push.nth('bob')).payload).toMatchObject({ title: 'alice', body: 'lost with it' });
    }));

  test('PUSH-9: a clean close, or anything received after the message, is a sign of life', () =>
    withSocket(async ({ bob, say, pushed, push, socket, world, clock }) => {
      await say('seen before the goodbye');
      await pushed();
      await socket.close();
      await world.settle();
      const next = await bob.socket();
      await say('seen, for the socket spoke afterwards');
      await pushed();
      await clock.advance(100);
      await world.settle();
      await next.terminate();
      await world.settle();
      await say('nobody is there');
      await push.nth('bob');
      await pushed();
      expect(push.bodies('bob')).toEqual(['nobody is there']);
    }));

  test('PUSH-9: an account that reconnects before its dead socket is detected gets no pushes', () =>
    withSocket(async ({ bob, say, pushed, push, socket, clock, world }) => {
      socket.pause();
      await say('swallowed, then fetched');
      await clock.advance(10_000);
      await bob.socket();
      await clock.advance(25_000);
      await world.settle();
      await clock.advance(25_000);
      await world.settle();
      await clock.advance(20_000);
      await pushed();
      expect(world.sum(({ sockets }) => sockets.count)).toBe(1);
      expect(push.requests).toBe(0);
    }));
});
