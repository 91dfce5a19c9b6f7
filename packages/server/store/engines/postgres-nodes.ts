// Statements about the nodes of an installation: their signs of life, and what nodes that are gone have left.
import type { TurnQueueKey } from '../turns.ts';
import { onPostgres } from './postgres-log.ts';

const DATABASE_NOW = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';
/** Of the advisory locks that show which nodes have a connection: held, shared, by the connection of the signs of life. */
const NODE_LOCKS = 7_370_002;
/** The row is seen by others once the statement has ended, and the lock is held. */
export const registerNode = onPostgres<{ key: number; now: number }, [name: string]>(
  `WITH made AS (INSERT INTO nodes (name) VALUES ($1) RETURNING key)
   SELECT key, ${DATABASE_NOW} AS now, pg_advisory_lock_shared(${NODE_LOCKS}, CAST(key AS INTEGER)) FROM made`,
);
/** For as long as the connection lives, the others see that the node has one. */
export const showConnection = onPostgres<never, [key: number]>(
  `SELECT pg_advisory_lock_shared(${NODE_LOCKS}, CAST($1 AS INTEGER))`,
);
const IS_CONNECTED = `EXISTS (SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = ${NODE_LOCKS}
  AND l.objid = n.key AND l.objsubid = 2 AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;
/** Nodes without a connection, unless the server has only just started. */
export const disconnected = onPostgres<{ key: number; name: string }, [own: number, settledMs: number]>(
  `SELECT n.key, n.name FROM nodes n WHERE n.key <> $1 AND NOT ${IS_CONNECTED}
   AND pg_postmaster_start_time() <= clock_timestamp() - make_interval(secs => $2 / 1000.0)`,
);
export const giveUpEnded = onPostgres<{ key: number }, [key: number]>(
  `DELETE FROM nodes n WHERE n.key = $1 AND NOT ${IS_CONNECTED} RETURNING n.key`,
);
export const beatNode = onPostgres<{ now: number }, [key: number]>(
  `UPDATE nodes SET seen_at = clock_timestamp() WHERE key = $1 RETURNING ${DATABASE_NOW} AS now`,
);
/** Whoever takes the row away has given the node up: from now on it commits nothing (CLUSTER-33). */
export const giveUpNodes = onPostgres<{ key: number }, [own: number, goneMs: number]>(
  `DELETE FROM nodes WHERE key <> $1 AND seen_at < clock_timestamp() - make_interval(secs => $2 / 1000.0) RETURNING key`,
);
export const liveNodes = onPostgres<{ key: number }>('SELECT key FROM nodes ORDER BY key');
export const signOffNode = onPostgres<never, [key: number]>('DELETE FROM nodes WHERE key = $1');
/** What belongs to nodes that are no more. */
export const leftBehind = onPostgres<{ node_key: number }>(
  `SELECT s.node_key FROM streams s WHERE NOT EXISTS (SELECT 1 FROM nodes n WHERE n.key = s.node_key)
   UNION SELECT q.node_key FROM push_queue q WHERE NOT EXISTS (SELECT 1 FROM nodes n WHERE n.key = q.node_key)`,
);
export const forgetBatches = onPostgres(
  'DELETE FROM batches b WHERE NOT EXISTS (SELECT 1 FROM nodes n WHERE n.key = b.node_key)',
);
/** Nobody reads them any more: who is so far behind has been given up long ago. */
export const forgetIntents = onPostgres(
  `DELETE FROM log_intents WHERE created_at < clock_timestamp() - make_interval(mins => 10)`,
);

export const nodeByKey = onPostgres<{ key: number }, [key: number]>('SELECT key FROM nodes WHERE key = $1');

export const waitingTurnQueues = onPostgres<TurnQueueKey, [limit: number]>(
  `SELECT agent_key, human_key FROM turns WHERE runner = 'server' AND state = 'queued'
   GROUP BY agent_key, human_key LIMIT $1`,
);

export const addAdminNode = onPostgres<{ key: number }>("INSERT INTO nodes (name) VALUES ('admin') RETURNING key");

/** Longer ago than a node is waited for. */
export const liveNode = onPostgres<{ key: number }>(
  "SELECT key FROM nodes WHERE seen_at > clock_timestamp() - interval '15 seconds' LIMIT 1",
);
