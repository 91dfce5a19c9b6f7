import type { SqliteConnection } from '../../store/engines/sqlite.ts';
import type { SqlValue, Statement } from '../../store/sql.ts';

/** Pages written per step, about 2 ms of work: a search may wait for one step. */
const STEP_PAGES = 16;
/** Minimum blocks since a table was last merged: each leaves a segment. */
const MIN_BLOCKS = 4;
/** From so many on, merging no longer waits until all else is done: messages may come without end. */
const OVERDUE_BLOCKS = 16;
/**
 * Minimum growth of a table since it was last merged, which bounds how often each row is merged: of a table that new
 * messages are put into, and of others, into which only changes are.
 */
const GROWTH = { growing: 1 / 8, other: 1 / 64 };

// As in index-file.ts: these texts run only on the file of the index.
const sql = <Row, Params extends readonly SqlValue[] = []>(text: string): Statement<Row, Params> => ({ sql: text });
const addedTo = sql<never, [name: string, rows: number]>(
  `INSERT INTO merges (name, merged, added, blocks) VALUES ($1, 0, $2, 1)
   ON CONFLICT (name) DO UPDATE SET added = added + excluded.added, blocks = blocks + 1`,
);
interface Due {
  name: string;
  added: number;
  blocks: number;
}
const nextDue = sql<Due, [growing: string, growingFiles: string, blocks: number]>(
  `SELECT name, added, blocks FROM merges WHERE blocks >= $3
     AND added >= merged * (CASE WHEN name IN ($1, $2) THEN ${GROWTH.growing} ELSE ${GROWTH.other} END) LIMIT 1`,
);
const noteMerged = sql<never, [name: string, rows: number, blocks: number]>(
  'UPDATE merges SET merged = merged + $2, added = added - $2, blocks = blocks - $3 WHERE name = $1',
);
const writes = sql<{ count: number }>('SELECT total_changes() AS count');

export const CREATE_MERGES = `CREATE TABLE IF NOT EXISTS merges
     (name TEXT PRIMARY KEY, merged INTEGER NOT NULL, added INTEGER NOT NULL, blocks INTEGER NOT NULL)`;

/**
 * Merges the tables of the index: each block leaves a segment in its table, and a search looks up every conversation of
 * its account in every segment. FTS5 by itself keeps up to 20 segments. Rewrites each row about eight times, in steps.
 */
export class IndexMerges {
  /** Rows put into each table by the current transaction. */
  #added = new Map<string, number>();
  /** The table that is being merged, and what was added to it before. */
  #current: (Due & { hasBegun: boolean }) | null = null;
  /** Whether a block was put since the last step. */
  #hasPut = false;

  noteRow(name: string): void {
    this.#added.set(name, (this.#added.get(name) ?? 0) + 1);
  }

  /** Called in the transaction that put the rows. */
  store(connection: SqliteConnection): void {
    this.#hasPut ||= this.#added.size > 0;
    for (const [name, rows] of this.#added) connection.all(addedTo, name, rows);
    this.#added.clear();
  }

  /** Forgets what a transaction that was rolled back, or a file that was deleted, has put. */
  reset(): void {
    this.#added.clear();
    this.#current = null;
  }

  /**
   * Whether there is a step to do; if `isBusy`, one that cannot wait: of a merge that has begun or is overdue, but one for
   * each block. `growing`: the tables that new messages are put into.
   */
  isDue(connection: SqliteConnection, growing: readonly [string, string], isBusy: boolean): boolean {
    if (isBusy && !this.#hasPut) return false;
    if (this.#current) return true;
    const due = connection.get(nextDue, ...growing, isBusy ? OVERDUE_BLOCKS : MIN_BLOCKS);
    if (due) this.#current = { ...due, hasBegun: false };
    return due !== undefined;
  }

  /** Does one step, within a transaction. */
  step(connection: SqliteConnection): void {
    const current = this.#current;
    if (!current) return;
    this.#hasPut = false;
    const { name, added, blocks, hasBegun } = current;
    const before = connection.get(writes)?.count ?? 0;
    // A negative number begins a merge of all segments into one; a positive one continues it.
    connection.exec(`INSERT INTO ${name} (${name}, rank) VALUES ('merge', ${hasBegun ? STEP_PAGES : -STEP_PAGES})`);
    current.hasBegun = true;
    // By FTS5's documentation: if fewer than two rows have changed, nothing is left to merge.
    if ((connection.get(writes)?.count ?? 0) - before >= 2) return;
    connection.all(noteMerged, name, added, blocks);
    this.#current = null;
  }
}
