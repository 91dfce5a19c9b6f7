import { ManualClock, type World } from '@parley/testing';
import { withPushes } from '@parley/testing/push/push-stage.ts';
import { expect, test } from 'vitest';
import { rowsIn } from '../helpers/rows-in.ts';

const never = new Promise<void>(() => {});
/** How long a service waits after its start for clients to reconnect. */
const RETURN_MS = 5_000;

const queued = (world: World): Promise<number> => rowsIn(world, 'push_queue');

test('PUSH-14: a message whose push was not sent before a crash is pushed after the start', async () => {
  const clock = new ManualClock();
  await withPushes(
    async ({ world, push, aliceAndBob, pushed }) => {
      const { say } = await aliceAndBob({ hold: never }, {});
      await say('one');
      await push.nth('bob');
      await say('two');
      await world.crash();
      await clock.advance(RETURN_MS);
      await push.nth('bob', 3);
      await pushed();
      expect(push.bodies('bob')).toEqual(['one', 'one', 'two']);
      await clock.advance(1_000);
      await world.settle();
      expect(await queued(world)).toBe(0);
    },
    { clock },
  );
});

test.each(['come back', 'stay away'])(
  'PUSH-14: accounts that had a socket at a crash are pushed to only if they stay away (they %s)',
  async (what) => {
    const clock = new ManualClock();
    await withPushes(
      async ({ world, push, aliceAndBob, pushed }) => {
        const { bob, say } = await aliceAndBob();
        await bob.socket();
        await say('hello');
        await pushed();
        await world.crash();
        if (what === 'come back') await bob.socket();
        await clock.advance(RETURN_MS);
        await pushed();
        expect(push.bodies('bob')).toEqual(what === 'come back' ? [] : ['hello']);
      },
      { clock },
    );
  },
);

test('PUSH-14: a restart sends no push twice, and sends those that were waiting', async () => {
  const clock = new ManualClock();
  await withPushes(
    async ({ world, push, aliceAndBob, pushed }) => {
      const { bob, alice, say } = await aliceAndBob();
      const { carol } = await world.people('carol');
      await carol.api.registerPushToken({ platform: 'web', token: push.subscribe('carol', { status: 503 }) });
      const { id: chat_id } = await world.direct(alice, carol);
      await say('one');
      await push.nth('bob');
      await bob.socket();
      await say('two');
      await alice.api.sendMessage({ chat_id, text: 'not yet' });
      await clock.advance(100);
      await push.nth('carol');
      await world.restart();
      expect(await queued(world)).toBe(1);
      push.script('carol', {});
      await clock.advance(RETURN_MS);
      await push.nth('carol', 2);
      await pushed();
      expect(push.bodies('bob')).toEqual(['one']);
    },
    { clock },
  );
});

test('PUSH-9, PUSH-14: a socket that sends no close frame when the service stops counts as dead: what it had not received is pushed', async () => {
  const clock = new ManualClock();
  await withPushes(
    async ({ world, push, aliceAndBob, pushed }) => {
      const { bob, say } = await aliceAndBob();
      const socket = await bob.socket();
      await world.settle();
      socket.pause();
      await say('swallowed');
      await pushed();
      const restarted = world.restart();
      await clock.timerSet(1_000); // how long the service waits for close frames
      await clock.advance(1_000);
      await restarted;
      expect(push.requests).toBe(0);
      await clock.advance(RETURN_MS);
      await push.nth('bob');
      expect(push.bodies('bob')).toEqual(['swallowed']);
    },
    { clock },
  );
});

test('PUSH-14: a message is queued only if a recipient has a push token, and no longer than needed', async () => {
  const clock = new ManualClock();
  await withPushes(
    async ({ world, push, pushed }) => {
      const { alice, bob, carol } = await world.people('alice', 'bob', 'carol');
      const { id: chat_id } = await world.group(alice, bob);
      const say = () => alice.api.sendMessage({ chat_id, text: 'hello' });
      const marked = () => rowsIn(world, 'chats WHERE may_push = 1');
      await say();
      expect([await queued(world), await marked()]).toEqual([0, 0]);
      // An account that joins with a push token marks the conversation.
      const token = push.subscribe('carol');
      await carol.api.registerPushToken({ platform: 'web', token });
      await alice.api.addMembers({ chat_id, usernames: ['carol'] });
      expect(await marked()).toBe(1);
      await carol.socket();
      await say();
      expect(await queued(world)).toBe(1);
      await pushed();
      await clock.advance(40_000);
      await world.settle();
      expect(await queued(world)).toBe(1);
      await clock.advance(40_000);
      await clock.advance(2_000);
      await world.settle();
      expect(await queued(world)).toBe(0);
      // After the last token is gone, the next message finds no recipient and removes the mark.
      await carol.api.unregisterPushToken({ token });
      await say();
      await pushed();
      await clock.advance(1_000);
      await world.settle();
      expect([await queued(world), await marked()]).toEqual([0, 0]);
      expect(push.requests).toBe(0);
    },
    { clock },
  );
});

test.each([true, false])(
  'PUSH-26: take-backs left by a crash wait until clients have had time to reconnect (client is back: %s)',
  async (isBack) => {
    const clock = new ManualClock();
    await withPushes(
      async ({ world, push, pushed }) => {
        const [alice, bob] = [await world.member('alice'), await world.member('bob')];
        const laptop = await world.signIn(bob);
        await bob.api.registerPushToken({ platform: 'web', token: push.subscribe('phone') });
        const { id: chat_id } = await world.direct(alice, bob);
        const { id: message_id } = await alice.api.sendMessage({ chat_id, text: 'hello' });
        await pushed();
        await clock.advance(1_000);
        await world.settle();
        await laptop.socket();
        await laptop.api.markRead({ chat_id, message_id });
        await pushed();
        const bodies = () => push.of('phone').map(({ payload }) => payload?.['body'] ?? 'close');
        await world.crash();
        await pushed();
        expect(bodies()).toEqual(['hello']);
        const socket = isBack ? await laptop.socket() : null;
        await clock.advance(RETURN_MS);
        await pushed();
        expect(bodies()).toEqual(isBack ? ['hello'] : ['hello', 'close']);
        await socket?.close();
        await clock.advance(RETURN_MS);
        await pushed();
        expect(bodies()).toEqual(['hello', 'close']);
      },
      { clock },
    );
  },
);
