import { afterEach, beforeEach, expect, test } from 'vitest';
import type { UnitCall } from '../../commits/unit-call.ts';
import { SqliteConnection } from '../../store/engines/sqlite.ts';
import { floorsByEvents, insertEvent } from '../../store/log.ts';
import { migrateSqlite } from '../../store/migrate.ts';
import type { SqlValue, Statement } from '../../store/sql.ts';
import { trimScopes } from '../log-units.ts';
import { ExcessTrim } from './excess-trim.ts';

const HOUR = 3_600_000;

/** Counts the rows that reads have returned. */
class CountingStore extends SqliteConnection {
  rows = 0;

  override all<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Row[] {
    const rows = super.all(statement, ...params);
    this.rows += rows.length;
    return rows;
  }
}

let store: CountingStore;
let last = 0;
beforeEach(() => {
  store = new CountingStore(':memory:');
  migrateSqlite(store);
  last = 0;
});
afterEach(() => store.close());

/** Adds events of one scope. */
function fill(scope: number, count: number): void {
  for (let n = 0; n < count; n += 1) store.run(insertEvent, (last += 1), scope, 1, null, 'what it says', 1_000);
}

const stored = (): number => Number(store.database.prepare('SELECT count(*) AS count FROM events').get()?.['count']);

const trimOf = (eventRetentionCount: number, eventsKeptPerScope: number): ExcessTrim =>
  new ExcessTrim({
    read: store,
    settings: { eventRetentionCount, eventsKeptPerScope },
    floors: floorsByEvents,
    count: stored,
    trim: (events) => trimScopes({ tx: store } as unknown as UnitCall, events), // the only field that it uses
  });

/** Takes steps until there is nothing more to do. Returns their number. */
async function tend(trim: ExcessTrim, now: number): Promise<number> {
  for (let steps = 1; ; steps += 1) if (!(await trim.step(now))) return steps;
}

test('LOG-8: a log with too many events and nothing to delete is read again an hour later, or when it has grown', async () => {
  for (let scope = 2; scope < 22; scope += 1) fill(scope, 300);
  const trim = trimOf(5_000, 500);
  await tend(trim, 0);
  const pass = store.rows;
  await tend(trim, HOUR - 1);
  expect(store.rows).toBe(pass);
  await tend(trim, HOUR);
  expect(store.rows).toBeGreaterThan(pass);

  const passes = store.rows;
  fill(2, 10);
  await tend(trim, HOUR + 1);
  expect(store.rows).toBe(passes);
  fill(2, 290);
  await tend(trim, HOUR + 2);
  expect(stored()).toBe(6_300 - 100);
});

test('LOG-8: in a log with too many events, the oldest are deleted if their scopes keep enough newer ones', async () => {
  for (let round = 0; round < 50; round += 1) for (const scope of [2, 4, 6]) fill(scope, scope === 6 ? 1 : 60);
  const trim = trimOf(1_050, 500);
  await tend(trim, 0);
  const left = store.database
    .prepare('SELECT scope, count(*) AS count FROM events GROUP BY scope ORDER BY scope')
    .all();
  expect(left.map((row) => ({ ...row }))).toEqual([
    { scope: 2, count: 500 },
    { scope: 4, count: 500 },
    { scope: 6, count: 50 },
  ]);
  const noted = store.database.prepare('SELECT scope FROM events_trimmed ORDER BY scope').all();
  expect(noted.map(({ scope }) => scope)).toEqual([2, 4]);
});
