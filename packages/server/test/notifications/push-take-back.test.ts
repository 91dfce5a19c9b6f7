import { describe, expect, test } from 'vitest';
import { allOn, category } from './notification-prefs.ts';
import { type Device, type DevicesStage, withDevices } from './devices-stage.ts';
import { rowsIn } from '../helpers/rows-in.ts';

const alerts = ({ device }: Device) => [...device.shown.values()].map(({ alert }) => alert);
const shownTo = ({ laptop, tablet, phone }: DevicesStage) => [laptop, tablet, phone].map(alerts);
const bodies = ({ push }: DevicesStage, { deviceName }: Device) =>
  push.of(deviceName).map(({ payload }) => payload?.['body'] ?? 'close');

describe('messages read on one device', () => {
  test('PUSH-20: notifications of read messages are closed on the other devices: with the same Topic, the read position and the badge', () =>
    withDevices(async (stage) => {
      const { push, apns, chat_id, laptop, say, pass } = stage;
      await say('one');
      // Two nodes push independently: wait for the first.
      await pass();
      const { id: message_id, position } = await say('two');
      await pass();
      expect(shownTo(stage)).toEqual([['two'], ['two'], ['two']]);
      await laptop.api.markRead({ chat_id, message_id });
      await pass();
      const close = { chat_id, message_id, position };
      const [, two, last, ...more] = push.of('tablet');
      expect([last?.payload, last?.headers['topic'], more]).toEqual([{ close, badge: 0 }, two?.headers['topic'], []]);
      expect(last?.headers).toMatchObject({
        ttl: '604800',
        urgency: 'normal',
        'content-length': two?.headers['content-length'],
      });
      const [, alert, quiet] = apns.of('phone');
      expect(alert?.custom).toEqual({ chat_id, message_id, position });
      expect([quiet?.custom, quiet?.aps]).toEqual([
        { close },
        { badge: 0, 'content-available': 1, 'thread-id': chat_id },
      ]);
      expect(quiet?.headers).toMatchObject({ 'apns-push-type': 'alert', 'apns-priority': '5' });
      expect(quiet?.headers['apns-collapse-id']).toBe(alert?.headers['apns-collapse-id']);
      expect(shownTo(stage)).toEqual([['two'], [], []]);
      // The reading device closes its own notifications.
      expect(bodies(stage, laptop)).toEqual(['one', 'two']);
      expect(apns.refused).toEqual([]);
    }));

  test('CHATSTATE-9: clearing a conversation closes its notifications on the other devices, and its messages leave the badge', () =>
    withDevices(async (stage) => {
      const { push, chat_id, laptop, say, pass } = stage;
      await say('one');
      await pass();
      await say('two');
      await pass();
      expect(shownTo(stage)).toEqual([['two'], ['two'], ['two']]);
      await laptop.api.clearChat({ chat_id });
      await pass();
      expect(shownTo(stage)).toEqual([['two'], [], []]);
      expect(push.of('tablet').at(-1)?.payload).toMatchObject({ badge: 0 });
      await say('three');
      await pass();
      expect(push.of('tablet').at(-1)?.payload).toMatchObject({ body: 'three', badge: 1 });
    }));

  test('PUSH-20: each notification is taken back once; reading with a token without a session takes back on all devices', () =>
    withDevices(async (stage) => {
      const { world, alice, chat_id, laptop, tablet, say, pass } = stage;
      const one = await say('one');
      await pass();
      await laptop.api.markRead({ chat_id, message_id: one.id });
      await laptop.api.markRead({ chat_id, message_id: one.id });
      await pass();
      const own = await laptop.api.sendMessage({ chat_id, text: 'my own' });
      await laptop.api.markRead({ chat_id, message_id: own.id });
      await pass();
      expect(bodies(stage, tablet)).toEqual(['one', 'close']);
      const carol = await world.person('carol');
      await carol.api.registerPushToken({ platform: 'web', token: stage.push.subscribe('carol') });
      const { id } = await world.direct(alice, carol);
      const { id: message_id } = await say('hello', id);
      await pass();
      await carol.api.markRead({ chat_id: id, message_id });
      await pass();
      expect(stage.push.of('carol').map(({ payload }) => payload?.['body'] ?? 'close')).toEqual(['hello', 'close']);
    }));

  test('PUSH-20: a take-back waits while a socket of the account is live, and is sent when the last one closes', () =>
    withDevices(async (stage) => {
      const { laptop, chat_id, say, pass } = stage;
      const { id: message_id } = await say('one');
      await pass();
      const socket = await laptop.socket();
      await laptop.api.markRead({ chat_id, message_id });
      await pass();
      expect(shownTo(stage)).toEqual([['one'], ['one'], ['one']]);
      await socket.close();
      await pass();
      expect(shownTo(stage)).toEqual([['one'], [], []]);
      expect(stage.apns.refused).toEqual([]);
    }));

  test.each([
    ['a muted conversation', ({ bob, chat_id }) => bob.api.setChatNotifications({ chat_id, is_muted: true })],
    ['a category that is off', ({ bob }) => bob.api.setNotificationPrefs({ ...allOn, private_chats: category(false) })],
    [
      'devices that are off',
      async ({ tablet, phone }) => {
        for (const device of [tablet, phone]) await device.api.setDeviceNotificationPrefs(deviceOff);
      },
    ],
  ] satisfies [string, (stage: DevicesStage) => Promise<unknown>][])(
    'PUSH-20: nothing is taken back, then or later, with %s',
    (_what, turnOff) =>
      withDevices(async (stage) => {
        const { bob, chat_id, laptop, tablet, phone, say, pass, push, apns } = stage;
        const { id: message_id } = await say('one');
        await pass();
        await turnOff(stage);
        await laptop.api.markRead({ chat_id, message_id });
        await pass();
        await bob.api.setNotificationPrefs(allOn);
        await bob.api.setChatNotifications({ chat_id, is_muted: false });
        await laptop.api.markRead({ chat_id, message_id });
        await pass();
        expect([push.of('tablet'), apns.of('phone')].map(({ length }) => length)).toEqual([1, 1]);
        expect([alerts(tablet), alerts(phone)]).toEqual([['one'], ['one']]);
      }),
  );

  test('PUSH-20: without a badge in the preferences a take-back shows nothing', () =>
    withDevices(async (stage) => {
      const { bob, chat_id, laptop, say, pass, push, apns } = stage;
      const { id: message_id } = await say('one');
      await pass();
      await bob.api.setNotificationPrefs({ ...allOn, badge: { ...allOn.badge, enabled: false } });
      await laptop.api.markRead({ chat_id, message_id });
      await pass();
      expect(push.of('tablet').at(-1)?.payload).not.toHaveProperty('badge');
      expect(apns.of('phone').at(-1)).toMatchObject({
        aps: { 'content-available': 1 },
        headers: { 'apns-push-type': 'background', 'apns-priority': '5' },
      });
      expect(apns.refused).toEqual([]);
    }));

  test('PUSH-20: nothing is taken back if nothing was pushed, the push failed, or the message is after the read position', () =>
    withDevices(async (stage) => {
      const { world, alice, bob, chat_id, laptop, tablet, phone, say, pass, script } = stage;
      const first = await say('one');
      await pass();
      await say('two');
      await pass();
      await laptop.api.markRead({ chat_id, message_id: first.id });
      await pass();
      // The badge changed; notifications stay.
      expect(stage.push.of('tablet').at(-1)?.payload).toEqual({ badge: 1 });
      expect(shownTo(stage)).toEqual([['two'], ['two'], ['two']]);
      const { id: group } = await world.group(alice, bob);
      script(tablet, { status: 403 }, {});
      await phone.api.setDeviceNotificationPrefs(deviceOff);
      const { id: message_id } = await say('three', group);
      await pass();
      await laptop.api.markRead({ chat_id: group, message_id });
      await pass();
      expect(stage.push.received.filter(({ payload }) => payload?.['close'])).toEqual([]);
      expect(stage.apns.received.filter(({ custom }) => custom['close'])).toEqual([]);
    }));
});

describe('deleted messages', () => {
  test('PUSH-20: a deleted message is taken back from all devices, a hidden message from the caller’s other devices', () =>
    withDevices(async (stage) => {
      const { world, alice, bob, chat_id, laptop, say, pass } = stage;
      const { id: group } = await world.group(alice, bob);
      const { id: deleted } = await say('deleted');
      const { id: hidden } = await say('hidden', group);
      await pass();
      expect(shownTo(stage)[0]).toEqual(['deleted', 'alice: hidden']);
      await alice.api.deleteMessages({ message_ids: [deleted] });
      // A push that is being sent during the next change would be followed by another, with the new badge.
      await pass();
      await laptop.api.deleteMessagesForMe({ message_ids: [hidden] });
      await pass();
      expect(shownTo(stage)).toEqual([['alice: hidden'], [], []]);
      expect([stage.tablet.device.badge, stage.phone.device.badge]).toEqual([0, 0]);
      expect(bodies(stage, stage.tablet)).toEqual(['deleted', 'alice: hidden', 'close', 'close']);
      const last = await say('the last');
      await pass();
      expect(shownTo(stage)[1]).toEqual(['the last']);
      expect(await laptop.api.markRead({ chat_id, message_id: last.id })).toBeUndefined();
      await pass();
    }));

  test('PUSH-20: messages of a deleted channel, and of a group after leaving or removal, are taken back', () =>
    withDevices(async (stage) => {
      const { world, alice, bob, laptop, tablet, phone, say, pass } = stage;
      const groups = [await world.group(alice, bob), await world.group(alice, bob), await world.group(alice, bob)];
      const [one, two, three] = groups.map(({ id }) => id);
      if (!one || !two || !three) throw new Error('there are three');
      const { id: channel_id } = await alice.api.createChannel({ chat_id: one, title: 'off topic' });
      await alice.api.sendMessage({ chat_id: one, channel_id, text: 'in a channel' });
      await say('left', two);
      await say('taken out', three);
      await pass();
      await alice.api.deleteChannel({ chat_id: one, channel_id });
      await laptop.api.leaveChat({ chat_id: two });
      await alice.api.removeMember({ chat_id: three, username: 'bob' });
      await pass();
      expect(shownTo(stage)).toEqual([['alice: left'], [], []]);
      expect([tablet.device.badge, phone.device.badge]).toEqual([0, 0]);
      expect(await rowsIn(world, 'shown_pushes')).toBe(0);
    }));

  test('PUSH-20: a deleted message is also taken back from a device on which older messages were just read', () =>
    withDevices(async (stage) => {
      const { alice, chat_id, tablet, say, push, pass, clock, pushed } = stage;
      const one = await say('one');
      await pass();
      const { id: deleted } = await say('deleted');
      await clock.advance(100);
      await push.nth('tablet', 2);
      await pushed();
      await alice.api.deleteMessages({ message_ids: [deleted] });
      await tablet.api.markRead({ chat_id, message_id: one.id });
      await pass();
      expect(shownTo(stage)).toEqual([[], [], []]);
    }));
});

const deviceOff = { enabled: false, in_app: { sounds: true, vibrate: true, preview: true } };
