import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SqliteConnection } from '../store/engines/sqlite.ts';
import { prepareDatabase } from '../commits/engines/sqlite-start.ts';
import { faults, references } from '../store/references.ts';

interface Column {
  name: string;
  type: string;
  notnull: 0 | 1;
}

/** Columns that are named like references but are not, each with its reason. */
const free: Readonly<Record<string, string>> = {
  'backend_users.external_id': 'is an id in another product',
  'device_tokens.session_id': 'the session that the device began last may have ended',
  'push_queue.node_key': 'a node of several, which come and go; 0 where there is only one',
  'streams.node_key': 'a node of several, which come and go; 0 where there is only one',
  'chats.title_question_key': 'only compared with the message that is deleted or edited',
  'chats.title_reply_key': 'only compared with the message that is deleted or edited',
  'messages.client_msg_id': 'is made up by the client',
  'scheduled.client_msg_id': 'is made up by the client',
  'transcriptions.message_id': 'may outlive its message for the minute that its request may take',
  'usage.chat_id': 'outlives the conversation',
  'usage_prices.chat_id': 'outlives the conversation',
  'drafts.reply_to_id': 'is kept as it was typed, and looked for when the message is sent',
  'timeline_drafts.reply_to_id': 'is kept as it was typed, and looked for when the message is sent',
};

let folder: string;
let connection: SqliteConnection;
let columns: Map<string, Column[]>;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-references-'));
  const file = join(folder, 'parley.db');
  prepareDatabase(file);
  connection = new SqliteConnection(file);
  const tables = connection.all<{ name: string }, []>({
    sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  });
  columns = new Map(
    tables.map(({ name }) => [name, connection.all<Column, []>({ sql: `PRAGMA table_info(${name})` })]),
  );
});
afterAll(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

test('ADMIN-12: every column named like a reference is checked, or has a reason not to be', () => {
  const found = [...columns].flatMap(([table, list]) => list.map(({ name }) => `${table}.${name}`));
  const named = found.filter((column) => /_key$|_id$/.test(column));
  expect(named.length).toBeGreaterThan(40);
  expect(named.toSorted()).toEqual([...Object.keys(references), ...Object.keys(free)].toSorted());
});

test.each(Object.entries(references))('ADMIN-12: a dangling %s is found', (column, { what }) => {
  const count = () => connection.get(faults[what] ?? expect.fail(`no check for ${what}`))?.count;
  const [table = '', name = ''] = column.split('.');
  const needed = (columns.get(table) ?? []).filter((one) => one.notnull === 1 || one.name === name);
  const values = needed.map((one) => (one.name === name ? '999' : one.type === 'INTEGER' ? '0' : "''"));
  expect(count()).toBe(0);
  connection.exec('BEGIN');
  connection.exec(`INSERT INTO ${table} (${needed.map((one) => one.name).join(', ')}) VALUES (${values.join(', ')})`);
  expect(count()).toBe(1);
  connection.exec('ROLLBACK');
});
