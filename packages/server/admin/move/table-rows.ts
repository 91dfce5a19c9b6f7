import { createHash } from 'node:crypto';
import { firstRows, insertRows, nextRows } from '../../store/whole-tables.ts';
import type { Sql, SqlValue } from '../../store/sql.ts';
import type { Column, Table } from './move-tables.ts';

export type Row = SqlValue[];

/** Number and checksum of rows; the same on both engines for the same rows. */
export interface Sum {
  rows: number;
  sha256: string;
}

const READ_AT_ONCE = 200;
const WRITTEN_AT_ONCE = 50;

/** All rows of a table, ordered by its key. */
export async function* rowsOf(sql: Sql, table: Table): AsyncGenerator<Row> {
  const places = table.key.map((name) => table.columns.findIndex((column) => column.name === name));
  let last: Row | undefined;
  do {
    const page: Record<string, SqlValue>[] = last
      ? await sql.all(nextRows(table, READ_AT_ONCE), ...places.map((at) => last?.[at] ?? null))
      : await sql.all(firstRows(table, READ_AT_ONCE));
    const rows = page.map((row) => table.columns.map((column) => valueIn(row, column)));
    yield* rows;
    last = rows.length < READ_AT_ONCE ? undefined : rows.at(-1);
  } while (last);
}

/** A row as a line of JSON; blobs are in base64. */
export const lineOf = (row: Row): string =>
  `${JSON.stringify(row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value)))}\n`;

/** Parses a line written by `lineOf`. */
export function rowIn(line: string, table: Table): Row {
  const values: unknown = JSON.parse(line);
  if (!Array.isArray(values) || values.length !== table.columns.length)
    throw new Error(`a line of ${table.name} does not match the columns of its table`);
  return table.columns.map(({ name, type }, at): SqlValue => {
    const value: unknown = values[at];
    if (value === null) return null;
    if (type === 'int' && Number.isSafeInteger(value)) return Number(value);
    if (typeof value !== 'string' || type === 'int') throw new Error(`a line of ${table.name} has an invalid ${name}`);
    return type === 'blob' ? Buffer.from(value, 'base64') : value;
  });
}

/** Counts and hashes lines. */
export class Summing {
  #rows = 0;
  readonly #hash = createHash('sha256');

  add(line: string): void {
    this.#rows += 1;
    this.#hash.update(line);
  }

  sum(): Sum {
    return { rows: this.#rows, sha256: this.#hash.copy().digest('hex') };
  }
}

/** The checksum of a table's current rows. */
export async function sumOf(sql: Sql, table: Table): Promise<Sum> {
  const summing = new Summing();
  for await (const row of rowsOf(sql, table)) summing.add(lineOf(row));
  return summing.sum();
}

export async function insertAll(sql: Sql, table: Table, rows: AsyncIterable<Row>): Promise<void> {
  let some: Row[] = [];
  for await (const row of rows) {
    some.push(row);
    if (some.length < WRITTEN_AT_ONCE) continue;
    await sql.run(insertRows(table, some.length), ...some.flat());
    some = [];
  }
  for (const row of some) await sql.run(insertRows(table, 1), ...row);
}

/** Clears node keys, which mean nothing in another installation: its next start takes over the work of these nodes. */
const valueIn = (row: Record<string, SqlValue>, { name }: Column): SqlValue =>
  name === 'node_key' ? 0 : (row[name] ?? null);
