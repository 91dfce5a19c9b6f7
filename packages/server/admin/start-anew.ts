import { getMeta, noteAllTrimmed, setMeta } from '../store/log.ts';
import type { Sql } from '../store/sql.ts';
import { emptyRestored } from '../store/whole-tables.ts';
import { Failure } from './failure.ts';

/** How far the log numbers jump: further than clients can have received events since the copy was made. */
const COUNTER_LEAP = 2 ** 40;

/** The log number above `former` from which a database goes on whose clients must all reload. */
export function leapAbove(former: number): number {
  const head = former + COUNTER_LEAP;
  if (!Number.isSafeInteger(head)) throw new Failure('the log numbers cannot leap any further');
  return head;
}

/**
 * Empties the log up to `head`, because clients may have received events that this database does not have, so that
 * every older `since` is `truncated` (LOG-8); and the push queue, because its pushes have been sent since. Belongs into a
 * transaction.
 */
export async function startAnew(sql: Sql, head: number): Promise<void> {
  for (const statement of emptyRestored) await sql.run(statement);
  await sql.run(noteAllTrimmed, head);
  await sql.run(setMeta, 'events_kept_from', String(head + 1));
}

/** The highest log number that an embedded database may have assigned. */
export const reservedOf = async (sql: Sql): Promise<number> =>
  Number((await sql.get(getMeta, 'seq_reserved'))?.value ?? 0);

/** As `startAnew`, and makes the numbers of an embedded database go on above `head`. */
export async function startEmbeddedAnew(sql: Sql, head: number): Promise<void> {
  await startAnew(sql, head);
  await sql.run(setMeta, 'seq_reserved', String(head));
  await sql.run(setMeta, 'events_indexed_through', String(head));
  await sql.run(setMeta, 'events_indexed', '0');
}
