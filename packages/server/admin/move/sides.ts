import type { FileStorage } from '../../files/storage.ts';
import { getMeta } from '../../store/log.ts';
import { type Awaitable, type Sql, statement } from '../../store/sql.ts';
import { Failure } from '../failure.ts';
import { tablesToMove } from './tables.ts';

/** An installation that is read: as it is at one moment, whoever writes meanwhile. */
export interface Source extends AsyncDisposable {
  /** Its name for people. */
  readonly name: string;
  readonly sql: Sql;
  readonly storage: FileStorage;
  /** A service works on it: what it writes from now on is not seen. */
  readonly isLive: boolean;
  /** At or above every number that anybody was told up to this moment. */
  readonly head: number;
}

/** An empty installation that is filled in one transaction. */
export interface Target extends AsyncDisposable {
  readonly name: string;
  readonly sql: Sql;
  readonly storage: FileStorage;
  /** The numbers go on above this one, and keys above those that were given. */
  goOnAbove(head: number): Awaitable<void>;
  /** From here on it is there; before, nothing is. */
  commit(): Awaitable<void>;
}

/** The highest number that an embedded database may have given. */
export const reservedOf = async (sql: Sql): Promise<number> =>
  Number((await sql.get(getMeta, 'seq_reserved'))?.value ?? 0);

/** Nothing is ever mixed with what is there. */
export async function assertEmpty(sql: Sql, name: string): Promise<void> {
  for (const table of tablesToMove())
    if (await sql.get(statement(`SELECT 1 AS found FROM ${table.name} LIMIT 1`)))
      throw new Failure(`${name} is not empty: it has rows in ${table.name}`);
}
