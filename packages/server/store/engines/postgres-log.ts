import { eventClass, codesOf } from '../../events/kinds.ts';
import type { EventRow } from '../log.ts';
import type { SqlValue, Statement } from '../sql.ts';

/** A statement that PostgreSQL alone has to understand. */
export const onPostgres = <Row, Params extends readonly SqlValue[] = []>(sql: string): Statement<Row, Params> => ({
  sql,
});

/** A list of numbers as one parameter. */
export const numbers = (values: Iterable<number>): string => `{${[...values].join(',')}}`;

const columns = 'seq, scope, kind, ref, params, created_at';

/** The last number that is committed, by whichever node. */
export const logHead = onPostgres<{ seq: number }>('SELECT seq FROM log_head WHERE id = 1');

/** Of the first rows behind a number those of some scopes; `looked` says how many there were, and up to which number. */
export const scanEvents = onPostgres<
  EventRow & { looked: number; reached: number },
  [scopes: string, after: number, through: number, rows: number]
>(
  `WITH looked AS MATERIALIZED (
     SELECT ${columns} FROM events WHERE seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4
   ), extent AS (SELECT count(*) AS looked, max(seq) AS reached FROM looked)
   SELECT coalesce(l.seq, 0) AS seq, coalesce(l.scope, 0) AS scope, coalesce(l.kind, 0) AS kind, l.ref, l.params,
     coalesce(l.created_at, 0) AS created_at, e.looked, coalesce(e.reached, 0) AS reached
   FROM extent e LEFT JOIN looked l ON l.scope = ANY (CAST($1 AS BIGINT[])) ORDER BY l.seq`,
);

/** The first rows of each of some scopes, by scope. */
export const eventsOfScopes = onPostgres<EventRow, [scopes: string, after: number, through: number, portion: number]>(
  `SELECT e.seq, e.scope, e.kind, e.ref, e.params, e.created_at
   FROM unnest(CAST($1 AS BIGINT[])) AS s(scope)
   CROSS JOIN LATERAL (
     SELECT ${columns} FROM events WHERE scope = s.scope AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4
   ) e ORDER BY e.seq`,
);

/** The newest row of each of some scopes up to a number, and what is trimmed of it. */
export const newestOfScopes = onPostgres<
  { scope: number; seq: number | null; kind: number | null; trimmed: number },
  [scopes: string, through: number]
>(
  `SELECT s.scope, e.seq, e.kind, coalesce(t.seq, 0) AS trimmed
   FROM unnest(CAST($1 AS BIGINT[])) AS s(scope)
   LEFT JOIN LATERAL (
     SELECT seq, kind FROM events WHERE scope = s.scope AND seq <= $2 ORDER BY seq DESC LIMIT 1
   ) e ON true
   LEFT JOIN events_trimmed t ON t.scope = s.scope WHERE e.seq IS NOT NULL OR t.seq IS NOT NULL`,
);

/** Rows of a scope that are looked at for one that every socket sees; what is behind them may be nothing. */
export const LOOKED_AT = 1_024;
const notOf = (...classes: number[]): string => `kind NOT IN (${classes.flatMap((one) => codesOf(one)).join(', ')})`;
const { draft, ext } = eventClass;

/** Of scopes whose newest row only some sockets see: the newest that others do, and the last row that was looked at. */
export const besideOfScopes = onPostgres<
  { draft: number; ext: number; base: number; looked: number; least: number },
  [scopes: string, through: number]
>(
  `SELECT coalesce(max(seq) FILTER (WHERE ${notOf(ext)} AND NOT (${notOf(draft)})), 0) AS draft,
     coalesce(max(seq) FILTER (WHERE ${notOf(draft)} AND NOT (${notOf(ext)})), 0) AS ext,
     coalesce(max(seq) FILTER (WHERE ${notOf(draft, ext)}), 0) AS base, count(*) AS looked, min(seq) AS least
   FROM unnest(CAST($1 AS BIGINT[])) AS s(scope)
   CROSS JOIN LATERAL (
     SELECT seq, kind FROM events WHERE scope = s.scope AND seq <= $2 ORDER BY seq DESC LIMIT ${LOOKED_AT}
   ) e GROUP BY s.scope`,
);

/** The newest number of these scopes that is kept no longer. */
export const trimmedOfScopes = onPostgres<{ seq: number }, [scopes: string]>(
  'SELECT coalesce(max(seq), 0) AS seq FROM events_trimmed WHERE scope = ANY (CAST($1 AS BIGINT[]))',
);

/** Events and kept intents of numbers that nobody has told this node. */
export const missedEvents = onPostgres<
  { seq: number; scope: number; kind: number },
  [after: number, through: number, limit: number]
>('SELECT seq, scope, kind FROM events WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3');
export const missedIntents = onPostgres<
  { seq: number; node_key: number; intents: string },
  [after: number, through: number]
>('SELECT seq, node_key, intents FROM log_intents WHERE seq > $1 AND seq <= $2 ORDER BY seq');
