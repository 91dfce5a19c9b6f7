import { webhookEvents } from '@parley/protocol';
import { expect, test } from 'vitest';
import { eventKinds, kindsOf } from './event-kinds.ts';

test('each event that the service can send is of one kind', () => {
  expect(eventKinds.flatMap(({ events }) => events).toSorted()).toEqual([...webhookEvents].toSorted());
  expect(kindsOf(['alert', 'messageNew'])).toEqual(['New messages', 'Your account, inbox and alerts']);
});
