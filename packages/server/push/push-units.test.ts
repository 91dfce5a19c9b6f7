import { describeWithPostgres } from '@parley/testing/servers/postgres.ts';
import { UnitsOnPostgres } from '@parley/testing/servers/postgres-units.ts';
import { expect, test } from 'vitest';
import type { UnitHandler } from '../commits/unit-context.ts';
import type { UnitOutcome } from '../commits/unit-runner.ts';
import { theService } from '../calls/unit-queue.ts';
import { takeOverPushes } from './push-units.ts';

describeWithPostgres('pushes of dead nodes', () => {
  test('CLUSTER-8: of two nodes that take over the same pushes, only one gets them', async () => {
    const handlers = new Map([['takeOverPushes', takeOverPushes as UnitHandler]]); // the unit that this test posts
    const one = await UnitsOnPostgres.open(handlers);
    const two = await UnitsOnPostgres.open(handlers, {}, one.database);
    await one.read.exec(
      'INSERT INTO push_queue (message_key, chat_key, sender_key, node_key) SELECT at, 1, 1, 777 FROM generate_series(1, 500) AS at',
    );
    const request = { id: 1, name: 'takeOverPushes', caller: theService, input: [777], now: 0 };
    const outcomes = await Promise.all([one, two].map((node) => node.outcome(request)));
    const taken = (outcome: UnitOutcome) =>
      outcome.ok ? (JSON.parse(String(outcome.result)) as unknown[]).length : -1;
    expect(outcomes.map(taken).toSorted((a, b) => a - b)).toEqual([0, 500]);
    await two.units.close();
    await two.read.close();
    await one.close();
  });
});
