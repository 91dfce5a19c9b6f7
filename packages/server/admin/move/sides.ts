import type { FileStorage } from '../../files/storage.ts';
import { anyRow } from '../../store/whole-tables.ts';
import type { Awaitable, Sql } from '../../store/sql.ts';
import { Failure } from '../failure.ts';
import { tablesToMove } from './move-tables.ts';

/** An installation to export, read in one snapshot. */
export interface Source extends AsyncDisposable {
  /** Its name, as printed. */
  readonly name: string;
  readonly sql: Sql;
  readonly storage: FileStorage;
  /** True if a service is running; its writes from now on are not read. */
  readonly isLive: boolean;
  /** A log number that is not below any number that a client may have received by now. */
  readonly head: number;
}

/** An empty installation that is filled in one transaction. */
export interface Target extends AsyncDisposable {
  readonly name: string;
  readonly sql: Sql;
  readonly storage: FileStorage;
  /** Makes log numbers continue above `head`, and new keys above those in use. */
  goOnAbove(head: number): Awaitable<void>;
  /** Makes everything that was written visible at once; until then nothing is. */
  commit(): Awaitable<void>;
}

/** Fails if the target has any rows: an import is never mixed with other data. */
export async function assertEmpty(sql: Sql, name: string): Promise<void> {
  for (const table of tablesToMove())
    if (await sql.get(anyRow(table))) throw new Failure(`${name} is not empty: it has rows in ${table.name}`);
}
