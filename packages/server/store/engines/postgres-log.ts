import { codesOf, codesOfMessages, eventClass } from '../../core/event-kinds.ts';
import type { EventRow } from '../log.ts';
import { isVisibleTo, type Light, lightRecord, type ShownRow } from '../messages.ts';
import type { SqlValue, Statement } from '../sql.ts';

/** A statement in SQL that only PostgreSQL understands. */
export const onPostgres = <Row, Params extends readonly SqlValue[] = []>(sql: string): Statement<Row, Params> => ({
  sql,
});

/** A list of numbers as one array parameter. */
export const numbers = (values: Iterable<number>): string => `{${[...values].join(',')}}`;

const columns = 'seq, scope, kind, ref, params, created_at';

/** The last committed number of the log, of any node. */
export const logHead = onPostgres<{ seq: number }>('SELECT seq FROM log_head WHERE id = 1');

/**
 * A row of a page of events, with the message that it concerns if the account may see that message now. There is always
 * a first row; its `seq` is null if no event was found. Only the first message of each sender has the sender's record.
 */
export type PageRow = { [Column in keyof EventRow]: EventRow[Column] | null } & {
  /** Number of events that were scanned, of all scopes, and the last of their numbers. */
  scanned: number;
  reached: number;
  kept_from: number;
  message_key: number | null;
  /** An AccountRecordRow as JSON text. */
  sender: string | null;
} & Pick<Light<ShownRow>, 'sender_key' | 'status' | 'marks' | 'record'>;

/** The AccountRecordRow of `accounts a` and its owner `p` as JSON text. */
const senderJson = `CAST(json_build_object('username', a.username, 'kind', a.kind, 'display_name', a.display_name,
       'parent_username', p.username, 'agent_provider', a.agent_provider, 'avatar_url', a.avatar_url, 'bio', a.bio,
       'deleted_at', a.deleted_at, 'created_at', a.created_at) AS TEXT)`;

/** `found` is the SQL that selects the events, `extent` counts the events scanned for them. */
const page = (found: string, extent: string): string =>
  `WITH ${found}, extent AS (${extent})
   SELECT e.seq, e.scope, e.kind, e.ref, e.params, e.created_at, x.scanned, x.reached,
     coalesce((SELECT CAST(value AS BIGINT) FROM meta WHERE name = 'events_kept_from'), 0) AS kept_from,
     m.key AS message_key, m.sender_key, m.status, m.marks, ${lightRecord},
     CASE WHEN row_number() OVER (PARTITION BY m.sender_key ORDER BY e.seq) = 1 THEN ${senderJson} END AS sender
   FROM extent x LEFT JOIN found e ON true
   LEFT JOIN messages m ON e.kind IN (${codesOfMessages.join(', ')}) AND m.key = e.ref AND ${isVisibleTo('$1')}
   LEFT JOIN accounts a ON a.key = m.sender_key LEFT JOIN accounts p ON p.key = a.parent_key ORDER BY e.seq`;

/** Scans the log after a number, and returns the events of the given scopes among the scanned ones. */
export const scanEvents = onPostgres<
  PageRow,
  [account: number, scopes: string, after: number, through: number, rows: number, limit: number]
>(
  page(
    `scanned AS MATERIALIZED (SELECT ${columns} FROM events WHERE seq > $3 AND seq <= $4 ORDER BY seq LIMIT $5),
     found AS MATERIALIZED (SELECT * FROM scanned WHERE scope = ANY (CAST($2 AS BIGINT[])) ORDER BY seq LIMIT $6)`,
    'SELECT count(*) AS scanned, coalesce(max(seq), 0) AS reached FROM scanned',
  ),
);

/** Reads the first events of each scope from the index by scope, and returns the first of them all. */
export const eventsOfScopes = onPostgres<
  PageRow,
  [account: number, scopes: string, after: number, through: number, portion: number, limit: number]
>(
  page(
    `found AS MATERIALIZED (
       SELECT e.* FROM unnest(CAST($2 AS BIGINT[])) AS s(scope)
       CROSS JOIN LATERAL (
         SELECT ${columns} FROM events WHERE scope = s.scope AND seq > $3 AND seq <= $4 ORDER BY seq LIMIT $5
       ) e ORDER BY e.seq LIMIT $6
     )`,
    'SELECT 0 AS scanned, 0 AS reached',
  ),
);

/** Maximum events of a scope that are scanned for the newest one that every socket receives. */
export const MAX_SCANNED = 1_024;
const codesAre = (is: 'IN' | 'NOT IN', ...classes: number[]): string =>
  `kind ${is} (${classes.flatMap((one) => codesOf(one)).join(', ')})`;
const { draft, ext } = eventClass;

/** The newest event of a scope up to a number, and the last trimmed number. */
export interface HeadRow {
  scope: number;
  seq: number | null;
  kind: number | null;
  trimmed: number;
  /**
   * If only sockets with certain caps receive the newest event: the newest events that other sockets receive, the
   * number of scanned events, and the lowest of their numbers.
   */
  draft: number;
  ext: number;
  base: number;
  scanned: number;
  least: number | null;
}

const headRows = (scopes: string): string =>
  `SELECT s.scope, e.seq, e.kind, coalesce(t.seq, 0) AS trimmed, b.draft, b.ext, b.base, b.scanned, b.least
   FROM ${scopes} LEFT JOIN LATERAL (
     SELECT seq, kind FROM events WHERE scope = s.scope AND seq <= $2 ORDER BY seq DESC LIMIT 1
   ) e ON true CROSS JOIN LATERAL (
     SELECT coalesce(max(seq) FILTER (WHERE ${codesAre('NOT IN', ext)} AND ${codesAre('IN', draft)}), 0) AS draft,
       coalesce(max(seq) FILTER (WHERE ${codesAre('NOT IN', draft)} AND ${codesAre('IN', ext)}), 0) AS ext,
       coalesce(max(seq) FILTER (WHERE ${codesAre('NOT IN', draft, ext)}), 0) AS base,
       count(*) AS scanned, min(seq) AS least
     FROM (
       SELECT seq, kind FROM events WHERE scope = s.scope AND seq <= e.seq AND e.${codesAre('IN', draft, ext)}
       ORDER BY seq DESC LIMIT ${MAX_SCANNED}
     ) l
   ) b LEFT JOIN events_trimmed t ON t.scope = s.scope`;

export const headsOfScopes = onPostgres<HeadRow, [scopes: string, through: number]>(
  headRows('unnest(CAST($1 AS BIGINT[])) AS s(scope)'),
);
/** The heads of an account's own scope and of all its conversations. */
export const headsOfAccount = onPostgres<HeadRow, [account: number, through: number]>(
  headRows(
    `(SELECT 2 * CAST($1 AS BIGINT) + 1 UNION ALL SELECT 2 * chat_key FROM participants WHERE account_key = $1) AS s(scope)`,
  ),
);

/** The highest number that was trimmed from any of these scopes. */
export const trimmedOfScopes = onPostgres<{ seq: number }, [scopes: string]>(
  'SELECT coalesce(max(seq), 0) AS seq FROM events_trimmed WHERE scope = ANY (CAST($1 AS BIGINT[]))',
);

/** Events of a range of numbers whose messages this node has not received; `missedIntents` reads their intents. */
export const missedEvents = onPostgres<
  { seq: number; scope: number; kind: number },
  [after: number, through: number, limit: number]
>('SELECT seq, scope, kind FROM events WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3');
export const missedIntents = onPostgres<
  { seq: number; node_key: number; intents: string },
  [after: number, through: number]
>('SELECT seq, node_key, intents FROM log_intents WHERE seq > $1 AND seq <= $2 ORDER BY seq');

/** The last number among the oldest events that is older than `before`. */
export const lastEventBefore = onPostgres<{ seq: number | null }, [before: number, limit: number]>(
  `SELECT max(o.seq) AS seq FROM (SELECT seq, created_at FROM events ORDER BY seq LIMIT $2) o WHERE o.created_at < $1`,
);
export const countEvents = onPostgres<{ count: number }>('SELECT count(*) AS count FROM events');

export const setLogHead = onPostgres<never, [seq: number]>('UPDATE log_head SET seq = $1 WHERE id = 1');
export const forgetAllIntents = onPostgres<never>('DELETE FROM log_intents');
