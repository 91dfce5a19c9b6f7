import { ManualClock, type World } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { type PushStage, withPushes } from '@parley/testing/push/push-stage.ts';
import { describe, expect, test } from 'vitest';
import { rowsIn } from '../helpers/rows-in.ts';

const never = new Promise<void>(() => {});
const MINUTE = 60_000;

const withClock = (work: (stage: PushStage & { clock: ManualClock }) => Promise<void>) => {
  const clock = new ManualClock();
  return withPushes((stage) => work({ ...stage, clock }), { clock });
};

/** Resolves when this many attempts have had this outcome. */
async function counted(world: World, outcome: 'sent' | 'gone' | 'retry' | 'failed', n: number): Promise<void> {
  while (world.sum(({ push }) => push.counts[outcome]) < n) await turnOfLoop();
}

const tokens = (world: World): Promise<number> => rowsIn(world, 'push_tokens');

test('CLUSTER-39: a node that the other nodes may have declared dead sends no pushes until it is sure of its membership', () =>
  withClock(async ({ world, push, clock, aliceAndBob }) => {
    const { say } = await aliceAndBob();
    let isSure = false;
    for (const service of world.services) service.standing.isSure = () => isSure;
    await say('hello');
    await counted(world, 'retry', 1);
    await clock.advance(2_000);
    await counted(world, 'retry', 2);
    expect(push.requests).toBe(0);
    isSure = true;
    await clock.advance(8_000);
    await push.nth('bob');
    await counted(world, 'sent', 1);
    expect(push.requests).toBe(1);
  }));

describe('a failing push service', () => {
  test.each([500, 503, 429])('PUSH-11: after %d a push is retried after increasing delays', (status) =>
    withClock(async ({ world, push, clock, aliceAndBob }) => {
      const { say } = await aliceAndBob({ status }, { status }, {});
      await say('hello');
      await counted(world, 'retry', 1);
      await clock.advance(999);
      expect(push.requests).toBe(1);
      await clock.advance(1_001);
      await counted(world, 'retry', 2);
      await clock.advance(3_999);
      expect(push.requests).toBe(2);
      await clock.advance(4_001);
      await counted(world, 'sent', 1);
      expect(push.bodies('bob')).toEqual(['hello', 'hello', 'hello']);
    }),
  );

  test('PUSH-11: retry-after of a push service is honoured', () =>
    withClock(async ({ world, push, clock, aliceAndBob }) => {
      const { say } = await aliceAndBob({ status: 429, headers: { 'retry-after': '120' } }, {});
      await say('hello');
      await counted(world, 'retry', 1);
      await clock.advance(119_999);
      expect(push.requests).toBe(1);
      await clock.advance(1);
      await push.nth('bob', 2);
    }));

  test('PUSH-11: while a push waits, a newer message of the conversation replaces it', () =>
    withClock(async ({ world, push, clock, aliceAndBob, pushed }) => {
      const { alice, bob, say } = await aliceAndBob({ status: 503 }, {});
      const { id: group } = await world.group(alice, bob);
      await say('older');
      await counted(world, 'retry', 1);
      await say('newer');
      await alice.api.sendMessage({ chat_id: group, text: 'elsewhere' });
      await clock.advance(2_000);
      await pushed();
      expect(push.bodies('bob')).toEqual(['older', 'newer', 'alice: elsewhere']);
    }));

  test('PUSH-11: a message that was read while it waited for another failing push is not pushed', () =>
    withClock(async ({ world, push, clock, aliceAndBob, pushed }) => {
      const { alice, bob, say } = await aliceAndBob({ status: 503 }, {});
      const { id: group } = await world.group(alice, bob);
      await say('in vain');
      await counted(world, 'retry', 1);
      const { id } = await alice.api.sendMessage({ chat_id: group, text: 'read meanwhile' });
      await clock.advance(100);
      await bob.api.markRead({ chat_id: group, message_id: id });
      await clock.advance(2_000);
      await pushed();
      expect(push.bodies('bob')).toEqual(['in vain', 'in vain']);
    }));

  test('PUSH-11: a message that was read or muted while its push waited is not pushed', () =>
    withClock(async ({ world, push, clock, aliceAndBob, pushed }) => {
      const { bob, chat_id, say } = await aliceAndBob({ status: 503 }, {});
      const { id } = await say('read meanwhile');
      await counted(world, 'retry', 1);
      await bob.api.markRead({ chat_id, message_id: id });
      await clock.advance(2_000);
      await pushed();
      expect(push.requests).toBe(1);
    }));

  test('PUSH-11: a push is tried at most six times', () =>
    withClock(async ({ world, push, clock, aliceAndBob, pushed }) => {
      const { say } = await aliceAndBob({ status: 503 });
      await say('hello');
      for (let attempt = 1; attempt <= 6; attempt += 1) {
        await counted(world, 'retry', attempt);
        await clock.advance(10 * MINUTE);
      }
      await pushed();
      expect(push.requests).toBe(6);
      expect(world.sum(({ push }) => push.waiting)).toBe(0);
    }));

  test('PUSH-11: each push has its own six attempts, even after one that failed', () =>
    withClock(async ({ world, push, clock, aliceAndBob, pushed }) => {
      const { alice, bob, say } = await aliceAndBob({ status: 503 });
      const { id: group } = await world.group(alice, bob);
      await say('one');
      await counted(world, 'retry', 1);
      await alice.api.sendMessage({ chat_id: group, text: 'two' });
      for (let attempt = 2; attempt <= 12; attempt += 1) {
        await clock.advance(10 * MINUTE);
        await counted(world, 'retry', attempt);
      }
      await pushed();
      expect(push.bodies('bob')).toEqual([...Array(6).fill('one'), ...Array(6).fill('alice: two')]);
      expect(world.sum(({ push }) => push.waiting)).toBe(0);
    }));

  test.each([404, 410])('PUSH-12: %d removes the subscription', (status) =>
    withClock(async ({ world, push, aliceAndBob, pushed }) => {
      const { say } = await aliceAndBob({ status });
      await say('one');
      await counted(world, 'gone', 1);
      await world.settle();
      expect(await tokens(world)).toBe(0);
      await say('two');
      await pushed();
      expect(push.requests).toBe(1);
    }),
  );

  test.each([400, 401, 403, 413])('PUSH-11: after %d a push is not retried and the subscription is kept', (status) =>
    withClock(async ({ world, push, clock, aliceAndBob, pushed }) => {
      const { say } = await aliceAndBob({ status }, {});
      await say('one');
      await counted(world, 'failed', 1);
      await clock.advance(MINUTE);
      await say('two');
      await pushed();
      expect(push.bodies('bob')).toEqual(['one', 'two']);
    }),
  );

  test('PUSH-13: redirects are not followed', () =>
    withClock(async ({ world, push, aliceAndBob, pushed }) => {
      push.subscribe('elsewhere');
      const { say } = await aliceAndBob({ status: 307, headers: { location: `${push.url}/push/elsewhere` } });
      await say('hello');
      await counted(world, 'failed', 1);
      await pushed();
      expect(push.of('elsewhere')).toEqual([]);
    }));

  test('PUSH-13: a push to a service that does not answer times out after 10 s and delays no others', () =>
    withClock(async ({ world, push, clock, aliceAndBob }) => {
      const { alice, say } = await aliceAndBob({ hold: never }, {});
      const { carol } = await world.people('carol');
      await carol.api.registerPushToken({ platform: 'web', token: push.subscribe('carol') });
      const { id: chat_id } = await world.direct(alice, carol);
      await say('slow');
      await push.nth('bob');
      await alice.api.sendMessage({ chat_id, text: 'fast' });
      await clock.advance(100);
      await push.nth('carol');
      await clock.advance(9_800);
      expect(world.sum(({ push }) => push.counts.retry)).toBe(0);
      await clock.advance(200);
      await counted(world, 'retry', 1);
      await clock.advance(2_000);
      await push.nth('bob', 2);
    }));

  test('PUSH-13: an endless answer is cut off', () =>
    withClock(async ({ world, push, aliceAndBob }) => {
      const { say } = await aliceAndBob({ endless: true });
      await say('hello');
      await counted(world, 'sent', 1);
      await push.cutOff();
    }));

  test('PUSH-13: an unreachable push service neither delays nor fails messages', () =>
    withClock(async ({ world, push, aliceAndBob }) => {
      const { bob, say } = await aliceAndBob();
      const gone = push.subscribe('gone').replace(push.url, 'http://127.0.0.1:9');
      await bob.api.registerPushToken({ platform: 'web', token: gone });
      const { id } = await say('hello');
      expect(id).toBeTypeOf('string');
      await push.nth('bob');
      await counted(world, 'retry', 1);
    }));

  test('PUSH-13: no log line contains a device’s address', () =>
    withClock(async ({ world, apns, push, aliceAndBob, pushed }) => {
      const { bob, say } = await aliceAndBob({ status: 400 });
      await bob.api.registerPushToken({ token: 'phonetoken' });
      await bob.api.registerPushToken({
        platform: 'web',
        token: push.subscribe('gone').replace(push.url, 'http://127.0.0.1:9'),
      });
      apns.script('phonetoken', { status: 400, reason: 'BadTopic' });
      await say('hello');
      await counted(world, 'failed', 2);
      await counted(world, 'retry', 1);
      await pushed();
      const log = JSON.stringify(world.logs);
      expect(log).toContain('a push was refused');
      for (const secret of ['/push/', 'phonetoken', 'p256dh']) expect(log).not.toContain(secret);
    }));
});

describe('Apple', () => {
  /** Bob with a phone instead of a browser. */
  const withPhone = (
    work: (stage: PushStage & { clock: ManualClock; say: (text: string) => Promise<unknown> }) => Promise<void>,
  ) =>
    withClock(async (stage) => {
      const { alice, bob } = await stage.world.people('alice', 'bob');
      const { id: chat_id } = await stage.world.direct(alice, bob);
      await bob.api.registerPushToken({ token: 'phone' });
      await work({ ...stage, say: (text) => alice.api.sendMessage({ chat_id, text }) });
    });

  test.each([
    { status: 410, reason: 'Unregistered', timestamp: Date.UTC(2026, 0, 2) },
    { status: 410, reason: 'ExpiredToken' },
    { status: 400, reason: 'BadDeviceToken' },
  ])('PUSH-12: $status $reason removes the token', (refusal) =>
    withPhone(async ({ world, apns, say, pushed }) => {
      apns.script('phone', refusal);
      await say('one');
      await counted(world, 'gone', 1);
      await world.settle();
      expect(await tokens(world)).toBe(0);
      await say('two');
      await pushed();
      expect(apns.of('phone')).toEqual([]);
    }),
  );

  test('PUSH-12: a token that was registered again after the time in Apple’s answer is kept', () =>
    withPhone(async ({ world, apns, say, pushed }) => {
      apns.script('phone', { status: 410, reason: 'Unregistered', timestamp: Date.UTC(2025, 11, 31) });
      await say('one');
      await counted(world, 'gone', 1);
      await say('two');
      await pushed();
      expect(apns.of('phone').map(({ aps }) => aps['alert'])).toEqual([{ title: 'alice', body: 'two' }]);
    }));

  test.each([
    { status: 429, reason: 'TooManyRequests' },
    { status: 500, reason: 'InternalServerError' },
    { status: 503, reason: 'Shutdown' },
  ])('PUSH-11: after $status $reason a push is retried', (refusal) =>
    withPhone(async ({ world, apns, clock, say }) => {
      apns.script('phone', refusal);
      await say('hello');
      await counted(world, 'retry', 1);
      await clock.advance(2_000);
      await apns.nth('phone');
    }),
  );

  test('PUSH-16: an expired provider token is renewed', () =>
    withPhone(async ({ world, apns, clock, say }) => {
      const startedAt = Math.floor(clock.now() / 1_000);
      apns.script('phone', { status: 403, reason: 'ExpiredProviderToken' });
      await say('hello');
      await counted(world, 'retry', 1);
      await clock.advance(2_000);
      expect((await apns.nth('phone')).claims['iat']).toBeGreaterThan(startedAt);
    }));

  test('PUSH-16: one provider token is used for 50 minutes, one connection for as long as Apple keeps it open', () =>
    withPhone(async ({ apns, clock, say }) => {
      await say('one');
      const first = await apns.nth('phone');
      await clock.advance(49 * MINUTE);
      await say('two');
      expect((await apns.nth('phone', 2)).claims['iat']).toBe(first.claims['iat']);
      await clock.advance(MINUTE);
      apns.sendAway();
      await turnOfLoop();
      await say('three');
      const third = await apns.nth('phone', 3);
      expect(third.claims['iat']).toBe(Number(first.claims['iat']) + 50 * 60);
      expect(third.session).toBe(2);
    }));

  test('PUSH-13: a connection without an answer for 10 s is replaced by another', () =>
    withPhone(async ({ world, apns, clock, say }) => {
      apns.script('phone', { status: 200, hold: never });
      await say('hello');
      await world.settle();
      while (apns.sessionCount === 0) await turnOfLoop();
      await clock.advance(10_000);
      await counted(world, 'retry', 1);
      await clock.advance(2_000);
      expect((await apns.nth('phone')).session).toBe(2);
    }));
});
