import { ManualClock } from '@parley/testing';
import { expect, test } from 'vitest';
import type { Caller } from '../access/call.ts';
import type { Effect } from '../commits/effects.ts';
import type { EventLog } from '../log/event-log.ts';
import { theService, UnitQueue } from './unit-queue.ts';
import type { UnitRunner } from '../commits/unit-runner.ts';

test('DRAIN-1: idle resolves also if a batch is processed late', async () => {
  const runner: UnitRunner = { onBatch: () => {}, onFailure: () => {}, post: () => {}, close: async () => {} };
  let turn = (): void => {};
  // The queue uses only this method of the log.
  const log = {
    takeBatch: (batch, apply) => void (turn = () => batch.outcomes.forEach((_, at) => apply(at))),
  } as Pick<EventLog, 'takeBatch'> as EventLog;
  const queue = new UnitQueue(runner, { log, onFault: () => {} });
  const stored = queue.run('sendMessage', theService, {}, 0);
  const idle = queue.idle();
  const outcomes = [{ id: 1, ok: true as const, result: '{}', effects: [] }];
  runner.onBatch({ outcomes, granted: 0, firstGranted: 1, lastSeq: 1, faults: [] });
  expect(queue.inFlight).toBe(1);
  turn();
  expect(await stored).toBe('{}');
  await idle;
});

test('CLUSTER-32: a caller times out although its unit takes effect later; units of the service do not time out', async () => {
  const clock = new ManualClock();
  const runner: UnitRunner = { onBatch: () => {}, onFailure: () => {}, post: () => {}, close: async () => {} };
  const takeBatch: EventLog['takeBatch'] = (batch, apply) => batch.outcomes.forEach((_, at) => apply(at));
  const applied: Effect[] = [];
  const queue = new UnitQueue(runner, {
    log: { takeBatch, takesIntent: () => true } as Pick<EventLog, 'takeBatch' | 'takesIntent'> as EventLog, // as above
    onFault: () => {},
    patience: { clock, ms: 15_000 },
  });
  queue.connect({ apply: (intent) => applied.push(intent) });
  const own = queue.run('claimTurn', theService, {}, 0);
  const alice: Caller = {
    key: 1,
    ownerKey: 1,
    username: 'alice',
    displayName: 'Alice',
    kind: 'human',
    role: 'member',
    sessionKey: null,
  };
  const called = queue.run('sendMessage', alice, {}, 0);
  await clock.advance(14_000);
  expect(queue.inFlight).toBe(2);
  await Promise.all([expect(called).rejects.toMatchObject({ code: 'unavailable' }), clock.advance(2_000)]);
  expect([queue.inFlight, clock.pendingTimers]).toEqual([1, 0]);
  const effects: Effect[] = [{ type: 'removeFiles' }];
  const outcomes = [1, 2].map((id) => ({ id, ok: true as const, result: 'null', effects }));
  runner.onBatch({ outcomes, granted: 0, firstGranted: 1, lastSeq: 1, faults: [] });
  expect([await own, applied.length]).toEqual(['null', 2]);
});
