import { expect, test } from 'vitest';
import { theService } from '../../calls/unit-queue.ts';
import type { Batch, UnitRequest } from '../unit-runner.ts';
import { decodeBatch, decodeRequests, encodeBatch, encodeRequests } from './batch-codec.ts';

const sent = <Value>(value: Value): Value => structuredClone(value);

test('requests arrive at the other thread as they were posted', () => {
  const caller = {
    key: 7,
    ownerKey: 7,
    username: 'ann',
    displayName: 'Ann',
    kind: 'human',
    role: 'member',
    sessionKey: null,
  } as const;
  const input = { chat_id: 'c', poll: { options: ['a', 'b'] }, channel_id: undefined, bytes: new Uint8Array([1, 2]) };
  const requests: UnitRequest[] = [
    { id: 1, name: 'sendMessage', caller, input, prepared: undefined, now: 5, address: '192.0.2.7' },
    {
      id: 2,
      name: 'sendMessage',
      caller: { ...caller, sessionKey: 3, limitedUntil: 9 },
      input: {},
      prepared: {},
      now: 6,
    },
    { id: 3, name: 'postToWebhook', caller: { ...caller, isWebhook: true }, input, prepared: 'text', now: 7 },
    { id: 4, name: 'upkeep', caller: theService, input: undefined, prepared: undefined, now: 8 },
    { id: 5, name: 'upkeep', caller: theService, input: [{ a: 1 }], prepared: undefined, now: 9 },
    { id: 6, name: 'upkeep', caller: theService, input: JSON.parse('{"__proto__":{"a":1}}'), prepared: null, now: 9 },
  ];
  expect(decodeRequests(sent(encodeRequests(requests)))).toStrictEqual(requests);
});

test('a batch arrives at the other thread as it was committed', () => {
  const event = {
    type: 'event',
    seq: 4,
    scope: 2,
    kind: 'messageNew',
    ref: 9,
    timeline: null,
    params: '{"id":1}',
  } as const;
  const batch: Batch = {
    granted: 1,
    firstGranted: 3,
    lastSeq: 5,
    faults: ['a fault'],
    outcomes: [
      {
        id: 1,
        ok: true,
        result: 0,
        effects: [event, { type: 'clearTyping', chatKey: 2, accountKey: 3 }, { ...event, seq: 5 }],
      },
      { id: 2, ok: true, result: undefined, effects: [{ type: 'removeFiles' }] },
      { id: 3, ok: false, code: 'not_found', message: 'gone', parameters: { field: 'x' } },
    ],
  };
  expect(decodeBatch(sent(encodeBatch(batch)))).toStrictEqual(batch);
});
