import { settled } from '@parley/testing/sdk/fake-service.ts';
import { message, showing } from '@parley/testing/sdk/shown-store.ts';
import { expect, test } from 'vitest';

test('what is scheduled is loaded again if the connection ended a load', async () => {
  const { service, store, socket, frame } = await showing([message('m1', 1)]);
  const loading = store.loadScheduled();
  const answer = (items: object[]): void => {
    service.socket.answer('getScheduledMessages', { items });
    service.socket.answer('getReminders', { items: [] });
    service.socket.answer('getSchedules', { items: [] });
  };
  answer([]);
  await loading;
  frame('scheduledChanged', { chat_id: 'chat' });
  socket.end(1006);
  await service.clock.advance(10_000);
  service.socket.hello(1);
  await settled();
  answer([{ id: 's1' }]);
  await settled();
  expect(store.scheduled.get().messages).toEqual([{ id: 's1' }]);
  // A connection after a load that succeeded loads nothing.
  service.socket.end(1006);
  await service.clock.advance(10_000);
  service.socket.hello(1);
  await settled();
  expect(service.socket.sent.map(({ method }) => method)).not.toContain('getScheduledMessages');
});
