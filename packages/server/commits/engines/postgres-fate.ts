import { type Clock, pause } from '../../core/clock.ts';
import { fateOf, lastBatch, lastOf } from '../../store/engines/postgres-batches.ts';
import type { Mark } from './postgres-batch.ts';
import { sqlState } from '../../store/engines/postgres-errors.ts';
import type { PostgresConnection } from '../../store/engines/postgres.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** SQLSTATE of `pg_xact_status` for a transaction id that is not assigned yet. */
const IN_THE_FUTURE = '22023';

interface Lost {
  mark: Mark;
  xid: string;
  /** The last number of the log when the batch began. */
  head: number;
}

/**
 * Finds out whether a batch was committed after its connection was lost during COMMIT (STORE-7). Returns 'lost' if it
 * was not committed, otherwise its last number (null if it wrote no row with a number). Retries until the answer is
 * known, because only this node can apply the batch's effects to its memory; returns undefined if the service stops
 * before that.
 */
export async function findOut(
  batch: Lost,
  { connect, clock, signal }: { connect: () => Promise<PostgresConnection>; clock: Clock; signal: AbortSignal },
): Promise<'lost' | { last: number | null } | undefined> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const found = await look(batch, connect).catch(() => 'in progress' as const); // the database is still unavailable
    if (found !== 'in progress') return found;
    if (signal.aborted) return undefined;
    await pause(clock, pauseMs, signal).catch(() => {}); // when aborted, look one last time
  }
}

async function look({ mark, xid, head }: Lost, connect: () => Promise<PostgresConnection>) {
  const connection = await connect();
  try {
    const fate = await statusOf(connection, xid);
    if (fate === 'in progress') return fate;
    // The transaction has ended. Its id may have been reused, so only the stored mark shows whether it was committed.
    if ((await connection.get(lastBatch, mark.node, mark.writer))?.token !== mark.token) return 'lost';
    // The rows that the transaction wrote contain the lower half of its id (xmin).
    const writer = (BigInt(xid) & 0xff_ff_ff_ffn).toString();
    return { last: (await connection.get(lastOf, head, writer))?.last ?? null };
  } finally {
    await connection.close();
  }
}

async function statusOf(connection: PostgresConnection, xid: string): Promise<string | null> {
  try {
    return (await connection.get(fateOf, xid))?.fate ?? null;
  } catch (error) {
    // The id is not assigned: a crash undid the transaction, and no other transaction has got its id since.
    if (sqlState(error) === IN_THE_FUTURE) return null;
    throw error;
  }
}
