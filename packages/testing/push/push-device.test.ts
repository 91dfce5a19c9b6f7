import { expect, test } from 'vitest';
import { FakePush } from './fake-push.ts';
import { PushDevice } from './push-device.ts';

/** A browser whose pushes are passed directly instead of sent. */
async function withBrowser(work: (device: PushDevice, push: (topic: string, payload: object) => void) => void) {
  await using fake = await FakePush.start();
  const device = PushDevice.browser(fake, 'browser');
  work(device, (topic, payload) => {
    fake.received.push({
      device: 'browser',
      headers: { topic },
      payload: { ...payload },
      claims: {},
      problems: [],
      status: 201,
    });
    device.receive();
  });
}
const message = (chat_id: string, position: number) => ({ title: 'alice', body: `${position}`, chat_id, position });

test('PUSH-24: a device shows one notification per conversation, closes it up to a position, and shows a badge', () =>
  withBrowser((device, push) => {
    push('a', { ...message('a', 1), badge: 1 });
    push('a', { ...message('a', 3), badge: 2 });
    push('b', { ...message('b', 2), badge: 3 });
    expect([...device.shown.values()].map(({ alert }) => alert)).toEqual(['3', '2']);
    push('a', { close: { chat_id: 'a', position: 2 } });
    expect([device.shown.size, device.badge]).toEqual([2, 3]);
    push('a', { close: { chat_id: 'a', position: 3 }, badge: 1 });
    push('c', { close: { chat_id: 'c', position: 9 } });
    expect([[...device.shown.keys()], device.badge]).toEqual([['b'], 1]);
    push('badge', { badge: 0 });
    expect([[...device.shown.keys()], device.badge]).toEqual([['b'], 0]);
  }));

test('PUSH-24: of undelivered pushes only the newest of each topic is kept', () =>
  withBrowser((device, push) => {
    device.isOnline = false;
    push('a', message('a', 1));
    push('b', message('b', 2));
    push('a', { close: { chat_id: 'a', position: 1 } });
    expect(device.shown.size).toBe(0);
    device.isOnline = true;
    device.receive();
    expect([...device.shown.keys()]).toEqual(['b']);
  }));
