import { codesOf, codesOfMessages, eventClass } from '../../core/event-kinds.ts';
import type { EventRow } from '../log.ts';
import { isVisibleTo, lightRecord, type ShownRow } from '../messages.ts';
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

/**
 * A row of a page, with the message that it speaks of as far as the account may see it today; the first row is there also
 * where none was found (its `seq` is null), and each sender comes once.
 */
export type PageRow = { [Column in keyof EventRow]: EventRow[Column] | null } & {
  /** Rows that were looked at, of all scopes, and up to which number. */
  looked: number;
  reached: number;
  kept_from: number;
  message_key: number | null;
  /** A ToldRow as JSON text. */
  sender: string | null;
} & Pick<ShownRow, 'channel_key' | 'sender_key' | 'status' | 'marks' | 'record'>;

/** A ToldRow of `accounts a` and its owner `p`, as one text. */
const senderJson = `CAST(json_build_object('username', a.username, 'kind', a.kind, 'display_name', a.display_name,
       'parent_username', p.username, 'agent_provider', a.agent_provider, 'avatar_url', a.avatar_url, 'bio', a.bio,
       'deleted_at', a.deleted_at, 'created_at', a.created_at) AS TEXT)`;

/** `found` names the rows, in their order; `extent` says how many were looked at for them. */
const page = (found: string, extent: string): string =>
  `WITH ${found}, extent AS (${extent})
   SELECT e.seq, e.scope, e.kind, e.ref, e.params, e.created_at, x.looked, x.reached,
     coalesce((SELECT CAST(value AS BIGINT) FROM meta WHERE name = 'events_kept_from'), 0) AS kept_from,
     m.key AS message_key, m.channel_key, m.sender_key, m.status, m.marks, ${lightRecord},
     CASE WHEN row_number() OVER (PARTITION BY m.sender_key ORDER BY e.seq) = 1 THEN ${senderJson} END AS sender
   FROM extent x LEFT JOIN found e ON true
   LEFT JOIN messages m ON e.kind IN (${codesOfMessages.join(', ')}) AND m.key = e.ref AND ${isVisibleTo('$1')}
   LEFT JOIN accounts a ON a.key = m.sender_key LEFT JOIN accounts p ON p.key = a.parent_key ORDER BY e.seq`;

/** Of the first rows behind a number those of some scopes. */
export const scanEvents = onPostgres<
  PageRow,
  [account: number, scopes: string, after: number, through: number, rows: number, limit: number]
>(
  page(
    `looked AS MATERIALIZED (SELECT ${columns} FROM events WHERE seq > $3 AND seq <= $4 ORDER BY seq LIMIT $5),
     found AS MATERIALIZED (SELECT * FROM looked WHERE scope = ANY (CAST($2 AS BIGINT[])) ORDER BY seq LIMIT $6)`,
    'SELECT count(*) AS looked, coalesce(max(seq), 0) AS reached FROM looked',
  ),
);

/** The first rows of each of some scopes, and of these the first. */
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
    'SELECT 0 AS looked, 0 AS reached',
  ),
);

/** Rows of a scope that are looked at for one that every socket sees; what is behind them may be nothing. */
export const LOOKED_AT = 1_024;
const codesAre = (is: 'IN' | 'NOT IN', ...classes: number[]): string =>
  `kind ${is} (${classes.flatMap((one) => codesOf(one)).join(', ')})`;
const { draft, ext } = eventClass;

/** Of a scope the newest row up to a number, and what is trimmed. */
export interface HeadRow {
  scope: number;
  seq: number | null;
  kind: number | null;
  trimmed: number;
  /** Where only some sockets see the newest row: the newest that others do, and the last row that was looked at. */
  draft: number;
  ext: number;
  base: number;
  looked: number;
  least: number | null;
}

const headRows = (scopes: string): string =>
  `SELECT s.scope, e.seq, e.kind, coalesce(t.seq, 0) AS trimmed, b.draft, b.ext, b.base, b.looked, b.least
   FROM ${scopes} LEFT JOIN LATERAL (
     SELECT seq, kind FROM events WHERE scope = s.scope AND seq <= $2 ORDER BY seq DESC LIMIT 1
   ) e ON true CROSS JOIN LATERAL (
     SELECT coalesce(max(seq) FILTER (WHERE ${codesAre('NOT IN', ext)} AND ${codesAre('IN', draft)}), 0) AS draft,
       coalesce(max(seq) FILTER (WHERE ${codesAre('NOT IN', draft)} AND ${codesAre('IN', ext)}), 0) AS ext,
       coalesce(max(seq) FILTER (WHERE ${codesAre('NOT IN', draft, ext)}), 0) AS base,
       count(*) AS looked, min(seq) AS least
     FROM (
       SELECT seq, kind FROM events WHERE scope = s.scope AND seq <= e.seq AND e.${codesAre('IN', draft, ext)}
       ORDER BY seq DESC LIMIT ${LOOKED_AT}
     ) l
   ) b LEFT JOIN events_trimmed t ON t.scope = s.scope`;

export const headsOfScopes = onPostgres<HeadRow, [scopes: string, through: number]>(
  headRows('unnest(CAST($1 AS BIGINT[])) AS s(scope)'),
);
/** The same of an account and of each conversation that it takes part in. */
export const headsOfAccount = onPostgres<HeadRow, [account: number, through: number]>(
  headRows(
    `(SELECT 2 * CAST($1 AS BIGINT) + 1 UNION ALL SELECT 2 * chat_key FROM participants WHERE account_key = $1) AS s(scope)`,
  ),
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

/** The last of those that are too old. */
export const lastEventBefore = onPostgres<{ seq: number | null }, [before: number, limit: number]>(
  `SELECT max(o.seq) AS seq FROM (SELECT seq, created_at FROM events ORDER BY seq LIMIT $2) o WHERE o.created_at < $1`,
);
export const countEvents = onPostgres<{ count: number }>('SELECT count(*) AS count FROM events');

export const setLogHead = onPostgres<never, [seq: number]>('UPDATE log_head SET seq = $1 WHERE id = 1');
