import { describe, expect, test } from 'vitest';
import { type Device, type DevicesStage, withDevices } from './devices-stage.ts';
import { rowsIn } from '../helpers/rows-in.ts';

const never = new Promise<void>(() => {});
const alerts = ({ device }: Device) => [...device.shown.values()].map(({ alert }) => alert);
const bodies = ({ push }: DevicesStage, { deviceName }: Device) =>
  push.of(deviceName).map(({ payload }) => payload?.['body'] ?? (payload?.['close'] ? 'close' : 'badge'));

describe('order of pushes and take-backs', () => {
  test('PUSH-21: if a message is read while its push is in flight, the take-back is sent after the push', () =>
    withDevices(async (stage) => {
      const { push, chat_id, laptop, tablet, say, pass, script, clock, world } = stage;
      const held = Promise.withResolvers<void>();
      script(tablet, { hold: held.promise }, {});
      const { id: message_id } = await say('under way');
      await clock.advance(100);
      await push.nth('tablet');
      await laptop.api.markRead({ chat_id, message_id });
      await world.settle();
      held.resolve();
      await pass();
      expect(bodies(stage, tablet)).toEqual(['under way', 'close']);
      expect([alerts(tablet), tablet.device.badge]).toEqual([[], 0]);
    }));

  test('PUSH-21: a message that is read before its push is due is neither pushed nor taken back', () =>
    withDevices(async (stage) => {
      const { push, alice, bob, world, chat_id, laptop, tablet, say, pass, script, clock } = stage;
      const { id: group } = await world.group(alice, bob);
      const held = Promise.withResolvers<void>();
      script(tablet, { hold: held.promise }, {});
      await say('under way', group);
      await clock.advance(100);
      await push.nth('tablet');
      const { id: message_id } = await say('read in the queue');
      await clock.advance(100);
      await world.settle();
      await laptop.api.markRead({ chat_id, message_id });
      held.resolve();
      await pass();
      expect(bodies(stage, tablet).filter((body) => body !== 'badge')).toEqual(['alice: under way']);
      expect(tablet.device.badge).toBe(1);
    }));

  test('PUSH-21: a take-back that arrives after a newer message leaves the newer one shown', () =>
    withDevices(async (stage) => {
      const { push, chat_id, laptop, tablet, say, pass, script, clock, world } = stage;
      const { id: message_id } = await say('read');
      await pass();
      const held = Promise.withResolvers<void>();
      script(tablet, { hold: held.promise }, {});
      await say('not read');
      await clock.advance(100);
      await push.nth('tablet', 2);
      await laptop.api.markRead({ chat_id, message_id });
      await world.settle();
      held.resolve();
      await pass();
      expect(bodies(stage, tablet)).toEqual(['read', 'not read', 'badge']);
      expect([alerts(tablet), tablet.device.badge]).toEqual([['not read'], 1]);
    }));

  test('PUSH-21: a newer message replaces a waiting take-back, and is shown', () =>
    withDevices(async (stage) => {
      const { chat_id, laptop, tablet, phone, say, pass, script } = stage;
      const first = await say('read');
      await pass();
      script(tablet, { status: 503, headers: { 'retry-after': '8' } }, {});
      await laptop.api.markRead({ chat_id, message_id: first.id });
      await pass(3_000);
      expect(bodies(stage, tablet)).toEqual(['read', 'close']);
      await say('not read');
      await pass(10_000);
      expect(bodies(stage, tablet)).toEqual(['read', 'close', 'not read']);
      expect([alerts(tablet), alerts(phone)]).toEqual([['not read'], ['not read']]);
      expect(tablet.device.badge).toBe(1);
    }));

  test('PUSH-21: a device that was offline shows only what is unread', () =>
    withDevices(async (stage) => {
      const { world, alice, bob, chat_id, laptop, tablet, phone, say, pass } = stage;
      const { id: group } = await world.group(alice, bob);
      for (const { device } of [tablet, phone]) device.isOnline = false;
      const read = [await say('read'), await say('read too', group)];
      await pass();
      await laptop.api.markRead({ chat_id, message_id: read[0]?.id ?? '' });
      await laptop.api.markRead({ chat_id: group, message_id: read[1]?.id ?? '' });
      await pass();
      await say('unread', group);
      await pass();
      for (const { device } of [tablet, phone]) device.isOnline = true;
      await pass();
      for (const device of [tablet, phone]) {
        expect(alerts(device)).toEqual(['alice: unread']);
        expect(device.device.badge).toBe(1);
      }
    }));
});

describe('a failing push service', () => {
  test.each([429, 503])('PUSH-21: after %d a take-back is retried', (status) =>
    withDevices(async (stage) => {
      const { chat_id, laptop, tablet, say, pass, script } = stage;
      const { id: message_id } = await say('one');
      await pass();
      script(tablet, { status }, { status }, {});
      await laptop.api.markRead({ chat_id, message_id });
      await pass(20_000);
      expect(bodies(stage, tablet)).toEqual(['one', 'close', 'close', 'close']);
      expect(alerts(tablet)).toEqual([]);
    }),
  );

  test('PUSH-21: if the push service no longer knows the subscription, it is deleted with its state', () =>
    withDevices(async (stage) => {
      const { world, chat_id, laptop, tablet, say, pass, script } = stage;
      const { id: message_id } = await say('one');
      await pass();
      expect([await rowsIn(world, 'push_tokens'), await rowsIn(world, 'shown_pushes')]).toEqual([3, 3]);
      script(tablet, { status: 410 });
      await laptop.api.markRead({ chat_id, message_id });
      await pass();
      expect([await rowsIn(world, 'push_tokens'), await rowsIn(world, 'shown_pushes')]).toEqual([2, 0]);
    }));

  test('PUSH-21: markRead is answered while no push service answers', () =>
    withDevices(async (stage) => {
      const { push, apns, chat_id, laptop, tablet, say, pass, script, clock, world } = stage;
      const { id: message_id } = await say('one');
      await pass();
      const held = Promise.withResolvers<void>();
      script(tablet, { hold: held.promise }, {});
      await laptop.api.markRead({ chat_id, message_id });
      await push.nth('tablet', 2);
      await apns.nth('phone', 2);
      while ((await rowsIn(world, 'shown_pushes')) > 1) await clock.advance(1_000);
      expect((await laptop.api.getChat({ chat_id })).unread_count).toBe(0);
      held.resolve();
      await pass();
      expect(await rowsIn(world, 'shown_pushes')).toBe(0);
    }));
});

describe('a service after a restart', () => {
  test('PUSH-22: a restarted service knows what devices show', () =>
    withDevices(async (stage) => {
      const { world, chat_id, laptop, tablet, phone, say, pass } = stage;
      const { id: message_id } = await say('one');
      await pass();
      await world.restart();
      await laptop.api.markRead({ chat_id, message_id });
      await pass();
      expect([alerts(tablet), alerts(phone)]).toEqual([[], []]);
    }));

  test('PUSH-22: a restarted service knows what devices show even if it was stopped right after the push', () =>
    withDevices(async (stage) => {
      const { world, push, chat_id, laptop, tablet, say, pass, clock } = stage;
      const { id: message_id } = await say('one');
      await clock.advance(100);
      await push.nth('tablet');
      await stage.pushed();
      await world.restart();
      await laptop.api.markRead({ chat_id, message_id });
      await pass();
      expect([bodies(stage, tablet), alerts(tablet)]).toEqual([['one', 'close'], []]);
    }));

  test('PUSH-22: a restarted service takes back messages that were read before a crash', () =>
    withDevices(async (stage) => {
      const { world, push, apns, chat_id, laptop, tablet, phone, say, pass, script } = stage;
      const { id: message_id } = await say('one');
      await pass();
      script(tablet, { hold: never }, {});
      apns.script('phone', { status: 503 });
      await laptop.api.markRead({ chat_id, message_id });
      await push.nth('tablet', 2);
      await apns.refusals(1);
      await world.crash();
      expect(await rowsIn(world, 'shown_pushes WHERE is_due = 1')).toBe(2);
      await pass(10_000);
      // Several nodes that start together may each send the take-back.
      const [first, ...closes] = bodies(stage, tablet);
      expect([first, new Set(closes)]).toEqual(['one', new Set(['close'])]);
      expect(closes).toHaveLength(world.services.length + 1);
      expect([alerts(tablet), alerts(phone), phone.device.badge]).toEqual([[], [], 0]);
      expect(await rowsIn(world, 'shown_pushes')).toBe(0);
    }));

  test('PUSH-22: a restarted service takes back nothing a second time', () =>
    withDevices(async (stage) => {
      const { world, chat_id, laptop, tablet, say, pass } = stage;
      const { id: message_id } = await say('one');
      await pass();
      await laptop.api.markRead({ chat_id, message_id });
      await pass();
      await world.restart();
      await pass(10_000);
      expect(bodies(stage, tablet)).toEqual(['one', 'close']);
    }));
});

describe('the state of a device', () => {
  test('PUSH-22: the state is deleted with the device’s token, its session and its account', () =>
    withDevices(async (stage) => {
      const { world, alice, laptop, tablet, phone, push, say, pass } = stage;
      const rows = () => rowsIn(world, 'shown_pushes');
      await say('one');
      await pass();
      expect(await rows()).toBe(3);
      await phone.api.unregisterPushToken({ token: 'phone' });
      expect(await rows()).toBe(2);
      await tablet.api.signOut();
      expect(await rows()).toBe(1);
      const subscription = push.subscribe('laptop');
      await laptop.api.registerPushToken({ platform: 'web', token: subscription });
      expect(await rows()).toBe(1);
      // Another account registers the device.
      await alice.api.registerPushToken({ platform: 'web', token: subscription });
      expect(await rows()).toBe(0);
    }));
});
