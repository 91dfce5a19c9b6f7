import { expect, test } from 'vitest';
import type { EventLog } from './events/event-log.ts';
import { theService, UnitQueue } from './unit-queue.ts';
import type { UnitRunner } from './units.ts';

test('DRAIN-1: whoever waits until nothing is being stored is told so also where a batch has its turn late', async () => {
  const runner: UnitRunner = { onBatch: () => {}, onFailure: () => {}, post: () => {}, close: async () => {} };
  let turn = (): void => {};
  // Nothing else of the log is asked for.
  const log = {
    takeBatch: (batch, apply) => void (turn = () => batch.outcomes.forEach((_, at) => apply(at))),
  } as Pick<EventLog, 'takeBatch'> as EventLog;
  const queue = new UnitQueue(runner, { log, apply: () => {}, onFault: () => {} });
  const stored = queue.run('sendMessage', theService, {}, 0);
  const idle = queue.idle();
  const outcomes = [{ id: 1, ok: true as const, result: '{}', effects: [] }];
  runner.onBatch({ outcomes, granted: 0, firstGranted: 1, lastSeq: 1, faults: [] });
  expect(queue.inFlight).toBe(1);
  turn();
  expect(await stored).toBe('{}');
  await idle;
});
