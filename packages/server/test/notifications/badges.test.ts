import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test } from 'vitest';
import { allOn } from './notification-prefs.ts';
import { type Device, type DevicesStage, withDevices } from './devices-stage.ts';

const told = ({ push }: DevicesStage, { deviceName }: Device) =>
  push
    .of(deviceName)
    .map(({ payload }) => [payload?.['body'] ?? (payload?.['close'] ? 'close' : 'badge'), payload?.['badge']]);

/**
 * Sends a message that no device shows: the account is connected when it arrives, and disconnects without reading it.
 * Waits for earlier pushes first, because an account that is connected when a push is due does not get it.
 */
async function unseen({ laptop, say, pass, pushed }: DevicesStage, text: string, chatId: string) {
  await pushed();
  const socket = await laptop.socket();
  const message = await say(text, chatId);
  await pass(500);
  await socket.close();
  return message;
}

test('PUSH-23: a device that shows a badge gets a new one when messages without notifications are read', () =>
  withDevices(async (stage) => {
    const { world, alice, bob, chat_id, laptop, tablet, phone, say, pass, push, apns } = stage;
    const { id: group } = await world.group(alice, bob);
    const { id: message_id } = await unseen(stage, 'not shown', group);
    await say('shown');
    await pass();
    await laptop.api.markRead({ chat_id: group, message_id });
    await pass();
    expect(told(stage, tablet)).toEqual([
      ['shown', 2],
      ['badge', 1],
    ]);
    const [shown, badge] = push.of('tablet');
    expect(badge?.headers['topic']).not.toBe(shown?.headers['topic']);
    expect(badge?.headers['content-length']).toBe(shown?.headers['content-length']);
    expect(apns.of('phone').at(-1)).toMatchObject({
      aps: { badge: 1, 'content-available': 1 },
      custom: {},
      headers: { 'apns-push-type': 'alert', 'apns-priority': '5' },
    });
    expect([tablet.device.badge, phone.device.badge, tablet.device.shown.has(chat_id)]).toEqual([1, 1, true]);
  }));

test('PUSH-23: a device gets a new badge when a conversation with unread messages is archived', () =>
  withDevices(async (stage) => {
    const { world, alice, bob, laptop, tablet, say, pass } = stage;
    const { id: group } = await world.group(alice, bob);
    await unseen(stage, 'not shown', group);
    await say('shown');
    await pass();
    for (const is_archived of [true, false]) {
      await laptop.api.setChatState({ chat_id: group, is_archived });
      await pass();
    }
    expect(told(stage, tablet)).toEqual([
      ['shown', 2],
      ['badge', 1],
      ['badge', 2],
    ]);
  }));

test('PUSH-23: no badge is sent if the device shows none, the number is unchanged, or the preferences turn badges off', () =>
  withDevices(async (stage) => {
    const { world, alice, bob, chat_id, laptop, tablet, say, pass } = stage;
    const { id: group } = await world.group(alice, bob);
    const read = async (text: string) => {
      const { id: message_id } = await unseen(stage, text, group);
      await laptop.api.markRead({ chat_id: group, message_id });
      await pass();
    };
    await read('no device has a badge');
    expect(told(stage, tablet)).toEqual([]);
    await bob.api.setNotificationPrefs({ ...allOn, badge: { ...allOn.badge, include_groups: false } });
    await say('shown');
    await read('no group counts');
    expect(told(stage, tablet)).toEqual([['shown', 1]]);
    await bob.api.setNotificationPrefs({ ...allOn, badge: { ...allOn.badge, enabled: false } });
    await read('nothing counts');
    const { id: message_id } = await say('without a badge');
    await pass();
    await laptop.api.markRead({ chat_id, message_id });
    await pass();
    expect(told(stage, tablet)).toEqual([
      ['shown', 1],
      ['without a badge', undefined],
      ['close', undefined],
    ]);
  }));

test('PUSH-23: continuous reading sends the newest badge every 2 s', () =>
  withDevices(async (stage) => {
    const { world, clock, chat_id, laptop, tablet, say, pass } = stage;
    const messages = [];
    for (let at = 1; at <= 8; at += 1) messages.push(await say(`${at}`));
    await pass();
    expect(tablet.device.badge).toBe(8);
    for (const { id: message_id } of messages.slice(0, 7)) {
      await laptop.api.markRead({ chat_id, message_id });
      while (world.services.some(({ push }) => !push.isIdle)) await turnOfLoop();
      await clock.advance(500);
    }
    await pass();
    const counts = told(stage, tablet).flatMap(([what, count]) => (what === 'badge' ? [count] : []));
    expect(counts).toEqual([7, 4, 1]);
    expect(tablet.device.badge).toBe(1);
  }));

test('PUSH-23: a badge that was just sent is taken into account before it is stored', () =>
  withDevices(async (stage) => {
    const { world, alice, bob, laptop, tablet, say, pass, push, clock, pushed } = stage;
    const { id: group } = await world.group(alice, bob);
    const { id: message_id } = await unseen(stage, 'not shown', group);
    await say('shown');
    await clock.advance(100);
    await push.nth('tablet');
    await pushed();
    await laptop.api.markRead({ chat_id: group, message_id });
    await pass();
    expect(tablet.device.badge).toBe(1);
  }));

test('PUSH-23: a device gets a new badge when messages are deleted, even if it shows none of them', () =>
  withDevices(async (stage) => {
    const { alice, tablet, phone, say, pass } = stage;
    const one = await say('one');
    const two = await say('two');
    await pass();
    await alice.api.deleteMessages({ message_ids: [two.id] });
    await pass();
    await alice.api.deleteMessages({ message_ids: [one.id] });
    await pass();
    expect([tablet.device.badge, phone.device.badge]).toEqual([0, 0]);
  }));

test('PUSH-23: a badge obeys mute, category, device switch and liveness as a message does', () =>
  withDevices(async (stage) => {
    const { world, alice, bob, laptop, tablet, phone, say, pass, push, apns } = stage;
    const { id: group } = await world.group(alice, bob);
    const messages: { id: string }[] = [];
    for (const text of ['one', 'two', 'three', 'four', 'five']) messages.push(await unseen(stage, text, group));
    await say('shown');
    await pass();
    const read = async (n: number) => {
      await laptop.api.markRead({ chat_id: group, message_id: messages[n]?.id ?? '' });
      await pass();
      return [push.of('tablet').length, apns.of('phone').length];
    };
    await bob.api.setChatNotifications({ chat_id: group, is_muted: true });
    expect(await read(0)).toEqual([1, 1]);
    await alice.api.deleteMessages({ message_ids: [messages[4]?.id ?? ''] });
    await pass();
    expect(push.of('tablet')).toHaveLength(1);
    await bob.api.setChatNotifications({ chat_id: group, is_muted: false });
    await bob.api.setNotificationPrefs({ ...allOn, group_chats: { ...allOn.group_chats, enabled: false } });
    expect(await read(1)).toEqual([1, 1]);
    await bob.api.setNotificationPrefs(allOn);
    await phone.api.setDeviceNotificationPrefs(deviceOff);
    expect(await read(2)).toEqual([2, 1]);
    const socket = await laptop.socket();
    expect(await read(3)).toEqual([2, 1]);
    await socket.close();
    await pass();
    expect(told(stage, tablet).at(-1)).toEqual(['badge', 1]);
    expect(apns.of('phone')).toHaveLength(1);
  }));

const deviceOff = { enabled: false, in_app: { sounds: true, vibrate: true, preview: true } };
