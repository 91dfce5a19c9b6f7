import { createWorld, type World } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect } from 'vitest';
import { SqliteConnection } from '../../store/engines/sqlite.ts';

/** What the main thread reads during a restart: the statements, and the rows except those of the log's tail. */
async function readsOfStart(world: World): Promise<{ statements: string[]; rows: number }> {
  const reads = { statements: new Array<string>(), rows: 0 };
  const { get, all } = SqliteConnection.prototype;
  const note = (sql: string, rows: number): void => {
    reads.statements.push(sql);
    if (!/\bFROM events\b/.test(sql)) reads.rows += rows;
  };
  SqliteConnection.prototype.get = function (statement, ...params) {
    const row = get.call(this, statement, ...params);
    note(statement.sql, row === undefined ? 0 : 1);
    return row as never; // unchanged
  };
  SqliteConnection.prototype.all = function (statement, ...params) {
    const rows = all.call(this, statement, ...params);
    note(statement.sql, rows.length);
    return rows as never; // as above
  };
  try {
    await world.restart();
  } finally {
    Object.assign(SqliteConnection.prototype, { get, all });
  }
  return reads;
}

embeddedTest('its plans')(
  'OPS-4: a start reads no more with many messages than with few, and scans no table of messages',
  async () => {
    await using world = await createWorld();
    const { alice, bob } = await world.people('alice', 'bob');
    const { id: chat_id } = await world.direct(alice, bob);
    await alice.api.sendMessage({ chat_id, text: 'the first' });
    const few = await readsOfStart(world);
    await Promise.all(Array.from({ length: 500 }, (_, at) => alice.api.sendMessage({ chat_id, text: `${at}` })));
    await world.settle();
    const many = await readsOfStart(world);
    expect(few.statements.length).toBeGreaterThan(0);
    expect(many).toEqual(few);
    const { read } = world.service;
    for (const sql of new Set(many.statements.filter((one) => one.startsWith('SELECT')))) {
      const plan = await read.all<{ detail: string }, []>({ sql: `EXPLAIN QUERY PLAN ${sql}` });
      expect(plan.map(({ detail }) => detail).join('\n'), sql).not.toMatch(
        /SCAN (m|messages|e|events|reactions)\b(?! USING)/,
      );
    }
  },
);
