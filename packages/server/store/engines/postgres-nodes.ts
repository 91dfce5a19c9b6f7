// Statements about the nodes of an installation: their signs of life, and the work that dead nodes have left behind.
import type { TurnQueueKey } from '../turns.ts';
import { onPostgres } from './postgres-log.ts';

const DATABASE_NOW = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';
/** Class of the advisory locks that show which nodes are connected; held by the connection that sends signs of life. */
const NODE_LOCKS = 7_370_002;
/** Other nodes see the row only when the statement has ended, and then the lock is already held. */
export const registerNode = onPostgres<{ key: number; now: number }, [name: string]>(
  `WITH made AS (INSERT INTO nodes (name) VALUES ($1) RETURNING key)
   SELECT key, ${DATABASE_NOW} AS now, pg_advisory_lock_shared(${NODE_LOCKS}, CAST(key AS INTEGER)) FROM made`,
);
/** Takes the lock that shows other nodes that this node is connected. It lasts as long as the connection. */
export const showConnection = onPostgres<never, [key: number]>(
  `SELECT pg_advisory_lock_shared(${NODE_LOCKS}, CAST($1 AS INTEGER))`,
);
const IS_CONNECTED = `EXISTS (SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = ${NODE_LOCKS}
  AND l.objid = n.key AND l.objsubid = 2 AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;
/** Other nodes without a connection; none while the database server has just started. */
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
/** The last sign of life of each other node, to be compared with what was read earlier, not with a clock. */
export const signsOfLife = onPostgres<{ key: number; seen: string }, [own: number]>(
  'SELECT key, CAST(seen_at AS TEXT) AS seen FROM nodes WHERE key <> $1',
);
/**
 * Declares a silent node dead by deleting its row, unless it has given a sign of life since: a node without a row can
 * commit nothing (CLUSTER-33).
 */
export const giveUpSilent = onPostgres<{ key: number }, [key: number, seen: string]>(
  'DELETE FROM nodes WHERE key = $1 AND CAST(seen_at AS TEXT) = $2 RETURNING key',
);
/** Declares nodes dead that have neither a connection nor given a sign of life for this long, by the database's clock. */
export const giveUpLost = onPostgres<{ key: number }, [own: number, lostMs: number]>(
  `DELETE FROM nodes n WHERE n.key <> $1 AND n.seen_at < clock_timestamp() - make_interval(secs => $2 / 1000.0)
   AND NOT ${IS_CONNECTED} RETURNING n.key`,
);
export const liveNodes = onPostgres<{ key: number }>('SELECT key FROM nodes ORDER BY key');
export const signOffNode = onPostgres<never, [key: number]>('DELETE FROM nodes WHERE key = $1');
/** Dead nodes that own streams or queued pushes. */
export const leftBehind = onPostgres<{ node_key: number }>(
  `SELECT s.node_key FROM streams s WHERE NOT EXISTS (SELECT 1 FROM nodes n WHERE n.key = s.node_key)
   UNION SELECT q.node_key FROM push_queue q WHERE NOT EXISTS (SELECT 1 FROM nodes n WHERE n.key = q.node_key)`,
);
export const forgetBatches = onPostgres(
  'DELETE FROM batches b WHERE NOT EXISTS (SELECT 1 FROM nodes n WHERE n.key = b.node_key)',
);
/** Deletes old intents: a node that is so far behind has been declared dead. */
export const forgetIntents = onPostgres(
  `DELETE FROM log_intents WHERE created_at < clock_timestamp() - make_interval(mins => 10)`,
);

export const nodeByKey = onPostgres<{ key: number }, [key: number]>('SELECT key FROM nodes WHERE key = $1');

export const waitingTurnQueues = onPostgres<TurnQueueKey, [limit: number]>(
  `SELECT agent_key, human_key, owner_key FROM turns WHERE runner = 'server' AND state = 'queued'
   GROUP BY agent_key, human_key, owner_key LIMIT $1`,
);

export const addAdminNode = onPostgres<{ key: number }>("INSERT INTO nodes (name) VALUES ('admin') RETURNING key");

/** A node with a recent sign of life. The interval is longer than the silence after which a node is declared dead. */
export const liveNode = onPostgres<{ key: number }>(
  "SELECT key FROM nodes WHERE seen_at > clock_timestamp() - interval '15 seconds' LIMIT 1",
);

/** SQL: no node registers until the transaction ends. */
export const lockNodes = 'LOCK TABLE nodes IN EXCLUSIVE MODE';
export const connectedNode = onPostgres<{ key: number }>(`SELECT n.key FROM nodes n WHERE ${IS_CONNECTED} LIMIT 1`);
export const forgetNodes = onPostgres<never>('DELETE FROM nodes');
/** A restored sequence would give keys again that nodes after the time of the copy had. */
export const leapNodeKeys = onPostgres<{ key: number }>(
  `SELECT setval(pg_get_serial_sequence('nodes', 'key'), nextval(pg_get_serial_sequence('nodes', 'key')) + 1000000) AS key`,
);
