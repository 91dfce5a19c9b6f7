import { type Clock, pause } from '../../core/clock.ts';
import { fateOf, lastBatch, lastOf } from '../../store/engines/postgres-batches.ts';
import type { Mark } from './postgres-batch.ts';
import { sqlState } from '../../store/engines/postgres-errors.ts';
import type { PostgresConnection } from '../../store/engines/postgres.ts';

const LOOK_MS = 50;
const LONGEST_LOOK_MS = 1_000;
const IN_THE_FUTURE = '22023';

interface Lost {
  mark: Mark;
  xid: string;
  /** The last number of the log when it began. */
  head: number;
}

/**
 * What became of a batch whose COMMIT was under way when its connection was lost: 'lost' for nothing, or its last
 * number, null where it had none that is written down; undefined where nobody can tell (STORE-7). It is asked until that
 * is known: the memory of this node would not have what it left, which nobody else has to take over while it lives.
 */
export async function findOut(
  batch: Lost,
  { connect, clock, signal }: { connect: () => Promise<PostgresConnection>; clock: Clock; signal: AbortSignal },
): Promise<'lost' | { last: number | null } | undefined> {
  for (let pauseMs = LOOK_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_LOOK_MS)) {
    const found = await look(batch, connect).catch(() => 'in progress' as const); // It is away still.
    if (found !== 'in progress') return found;
    if (signal.aborted) return undefined;
    await pause(clock, pauseMs, signal).catch(() => {}); // Looked at once more.
  }
}

async function look({ mark, xid, head }: Lost, connect: () => Promise<PostgresConnection>) {
  const connection = await connect();
  try {
    const fate = await statusOf(connection, xid);
    if (fate === 'in progress') return fate;
    // Nothing becomes of it any more. Its number may be another's by now; what it has written is its own.
    if ((await connection.get(lastBatch, mark.node, mark.writer))?.token !== mark.token) return 'lost';
    // As the rows name it that it has written: the lower half.
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
    // A crash has undone it, and its number is still to be given out again.
    if (sqlState(error) === IN_THE_FUTURE) return null;
    throw error;
  }
}
