// Statements of a batch of units: its locks, its events, and the mark that later shows whether it was committed.
import { onPostgres } from './postgres-log.ts';

/** The row that taking the locks of a batch returns. */
export interface Locked {
  xid: string;
  /** The last number of the log before the batch takes numbers. */
  head: number;
  /** The number of batches that have run exclusively, this one included. */
  lone_batches: number;
}

export const takeLocks = onPostgres<Locked, [ids: string, modes: string]>(
  `SELECT xid, lone_batches, (SELECT seq FROM log_head) AS head FROM take_locks(CAST($1 AS BIGINT[]), $2)`,
);
/** The given accounts that are deleted or disabled, or whose owner is (AUTH-18). */
export const disabledAmong = onPostgres<{ key: number }, [keys: string]>(
  `SELECT a.key FROM unnest(CAST($1 AS BIGINT[])) AS c(key) JOIN accounts a ON a.key = c.key
   LEFT JOIN accounts p ON p.key = a.parent_key
   WHERE a.deleted_at IS NOT NULL OR COALESCE(a.disabled_at, p.disabled_at, p.deleted_at) IS NOT NULL`,
);
export const appendEvents = onPostgres<
  { last: number },
  [
    node: number,
    granted: number,
    extra: number,
    scopes: string,
    kinds: string,
    refs: string,
    params: string,
    times: string,
    intents: string | null,
  ]
>(
  `SELECT append_events($1, CAST($2 AS INTEGER), CAST($3 AS INTEGER), CAST($4 AS BIGINT[]), CAST($5 AS INTEGER[]),
     CAST($6 AS BIGINT[]), CAST($7 AS TEXT[]), CAST($8 AS BIGINT[]), $9) AS last`,
);
/** Written in the transaction of each batch: shows later whether the batch was committed. */
export const markBatch = onPostgres<never, [node: number, writer: number, token: string]>(
  `INSERT INTO batches (node_key, lane, token) VALUES ($1, CAST($2 AS INTEGER), $3)
   ON CONFLICT (node_key, lane) DO UPDATE SET token = excluded.token`,
);
/** The last committed batch of a writer connection. */
export const lastBatch = onPostgres<{ token: string }, [node: number, writer: number]>(
  'SELECT token FROM batches WHERE node_key = $1 AND lane = CAST($2 AS INTEGER)',
);
/**
 * The state of a transaction: 'committed', 'aborted', 'in progress', or null if PostgreSQL has no record. After a crash
 * the server reuses the ids of transactions that the crash undid, so the answer may concern another transaction.
 */
export const fateOf = onPostgres<{ fate: string | null }, [xid: string]>(
  'SELECT pg_xact_status(CAST($1 AS XID8)) AS fate',
);
/** The highest number of the log that a transaction has written. */
export const lastOf = onPostgres<{ last: number | null }, [head: number, xid: string]>(
  `SELECT greatest((SELECT max(seq) FROM events WHERE seq > $1 AND xmin::TEXT = $2),
     (SELECT max(seq) FROM log_intents WHERE seq > $1 AND xmin::TEXT = $2)) AS last`,
);
