import { codesOf, codesOfMessages, eventClass, keptCodes } from '../core/event-kinds.ts';
import { isKeptOfMany } from './chat-states.ts';
import { isVisibleTo, type Light, lightRecord, type ShownRow } from './messages.ts';
import { statement, type Statement } from './sql.ts';

export interface EventRow {
  seq: number;
  scope: number;
  kind: number;
  ref: number | null;
  params: string | null;
  created_at: number;
}

export const insertEvent = statement<
  never,
  [seq: number, scope: number, kind: number, ref: number | null, params: string | null, now: number]
>('INSERT INTO events (seq, scope, kind, ref, params, created_at) VALUES ($1, $2, $3, $4, $5, $6)');

export const eventsBySeq = statement<EventRow, [after: number, through: number, limit: number]>(
  'SELECT seq, scope, kind, ref, params, created_at FROM events WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3',
);

/** The scopes of the next events. */
export const nextScopes = statement<{ scope: number }, [after: number, through: number, limit: number]>(
  'SELECT scope FROM events WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3',
);

/**
 * The values of an event's row, with the message `ref` that it concerns if the account may see it now; `sender_key` is
 * null otherwise. `created_at` is null unless a replay needs it.
 */
export type ShownEvent = readonly [
  seq: number,
  scope: number,
  kind: number,
  ref: number | null,
  params: string | null,
  created_at: number | null,
  sender_key: number | null,
  status: ShownRow['status'],
  marks: number,
  record: Light<ShownRow>['record'],
];

/**
 * SQL: a key to join by, which is null and finds no row unless the kind has one of these codes. The codes are a table of
 * bits: SQLite would search a list for each row, and it would check a condition beside the key after it has found the row.
 */
function keyIfOneOf(kind: string, codes: readonly number[], key: string): string {
  if (Math.max(...codes) > 62) throw new Error('the codes of kinds no longer fit into 63 bits');
  const bits = codes.reduce((all, code) => all | (1n << BigInt(code)), 0n);
  return `CASE WHEN ((${bits} >> CAST(${kind} AS INTEGER)) & 1) = 1 THEN ${key} END`;
}
/** SQL: the columns of a ShownEvent that belong to the message `m`. */
const shownMessage = `m.sender_key, m.status, m.marks, ${lightRecord}`;
/** SQL: joins the message of an event, if the account `$1` may see it. */
const joinMessage = (event: string): string =>
  `LEFT JOIN messages m ON m.key = ${keyIfOneOf(`${event}.kind`, codesOfMessages, `${event}.ref`)}
     AND ${isVisibleTo('$1', isKeptOfMany('$1'))}`;

/** The next events of the log, of any scope: which of them the account may see is for the caller to decide. */
export const scanShown = statement<ShownEvent, [account: number, after: number, through: number, limit: number]>(
  `SELECT e.seq, e.scope, e.kind, e.ref, e.params, e.created_at, ${shownMessage}
   FROM events e ${joinMessage('e')} WHERE e.seq > $2 AND e.seq <= $3 ORDER BY e.seq LIMIT $4`,
);

export const shownBySeq = statement<ShownEvent, [account: number, seq: number]>(
  `SELECT e.seq, e.scope, e.kind, e.ref, e.params, e.created_at, ${shownMessage}
   FROM events e ${joinMessage('e')} WHERE e.seq = $2`,
);

/** Reads only the index by scope and messages, except for kinds whose replay needs the stored params. */
export const shownOfScope = statement<
  ShownEvent,
  [account: number, scope: number, after: number, through: number, limit: number]
>(
  `SELECT s.seq, s.scope, s.kind, s.ref, e.params, e.created_at, ${shownMessage} FROM events_by_scope s
   LEFT JOIN events e ON e.seq = ${keyIfOneOf('s.kind', keptCodes, 's.seq')} ${joinMessage('s')}
   WHERE s.scope = $2 AND s.seq > $3 AND s.seq <= $4 ORDER BY s.seq LIMIT $5`,
);

/** The newest indexed event of a scope. */
export const lastIndexedOfScope = statement<{ seq: number; kind: number }, [scope: number]>(
  'SELECT seq, kind FROM events_by_scope WHERE scope = $1 ORDER BY seq DESC LIMIT 1',
);
/** Maximum events of a scope that are scanned for the newest one that every socket receives. */
const MAX_SCANNED = 4_096;
/** The newest scanned event of a scope that has none of the given kinds. */
const newestWithout = (codes: readonly number[]) =>
  statement<{ seq: number; kind: number }, [scope: number]>(
    `SELECT seq, kind FROM (SELECT seq, kind FROM events_by_scope WHERE scope = $1 ORDER BY seq DESC LIMIT ${MAX_SCANNED}) s
     WHERE kind NOT IN (${codes.join(', ')}) ORDER BY seq DESC LIMIT 1`,
  );
/** The oldest scanned event, if the scope has more events than are scanned. */
export const oldestScanned = statement<{ seq: number }, [scope: number]>(
  `SELECT seq FROM events_by_scope WHERE scope = $1 ORDER BY seq DESC LIMIT 1 OFFSET ${MAX_SCANNED - 1}`,
);
export const newestWithoutDrafts = newestWithout(codesOf(eventClass.draft));
export const newestWithoutExt = newestWithout(codesOf(eventClass.ext));
export const newestWithoutBoth = newestWithout([...codesOf(eventClass.draft), ...codesOf(eventClass.ext)]);

export const indexEvents = statement<never, [after: number, through: number]>(
  `INSERT INTO events_by_scope (scope, seq, kind, ref)
   SELECT scope, seq, kind, ref FROM events WHERE seq > $1 AND seq <= $2 ORDER BY scope, seq
   ON CONFLICT (scope, seq) DO NOTHING`,
);

export const lastSeq = statement<{ last: number | null }>('SELECT max(seq) AS last FROM events');

/** The events that would be trimmed first. */
export const oldestEvents = statement<{ seq: number; created_at: number }, [limit: number]>(
  'SELECT seq, created_at FROM events ORDER BY seq LIMIT $1',
);

export const getMeta = statement<{ value: string }, [name: string]>('SELECT value FROM meta WHERE name = $1');

/** Stores a value, unless the name already has one. */
export const addMeta = statement<never, [name: string, value: string]>(
  'INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
);
export const setMeta = statement<never, [name: string, value: string]>(
  'INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
);

export const trimmedOfScope = statement<{ seq: number }, [scope: number]>(
  'SELECT seq FROM events_trimmed WHERE scope = $1',
);

export const noteTrimmed = statement<never, [through: number]>(
  `INSERT INTO events_trimmed (scope, seq)
   SELECT scope, max(seq) FROM events WHERE seq <= $1 GROUP BY scope
   ON CONFLICT (scope) DO UPDATE SET seq = excluded.seq WHERE events_trimmed.seq < excluded.seq`,
);
export const noteScopeTrimmed = statement<never, [scope: number, through: number]>(
  `INSERT INTO events_trimmed (scope, seq) VALUES ($1, $2)
   ON CONFLICT (scope) DO UPDATE SET seq = excluded.seq WHERE events_trimmed.seq < excluded.seq`,
);
export const lastTrimmed = statement<{ last: number | null }>('SELECT max(seq) AS last FROM events_trimmed');

/** Numbers and scopes of events, without their contents. */
export const scopesBySeq = statement<{ seq: number; scope: number }, [after: number, limit: number]>(
  'SELECT seq, scope FROM events WHERE seq > $1 ORDER BY seq LIMIT $2',
);

/** The listed scopes with events in a range, each with the number of its event at `offset` from the newest, or null. */
export type FloorsOfScopes = Statement<
  { scope: number; floor: number | null },
  [after: number, through: number, offset: number]
>;
const floorsBy = (table: 'events' | 'events_by_scope'): FloorsOfScopes =>
  statement(
    `SELECT s.scope,
       (SELECT x.seq FROM ${table} x WHERE x.scope = s.scope ORDER BY x.seq DESC LIMIT 1 OFFSET $3) AS floor
     FROM (SELECT DISTINCT scope FROM events WHERE seq > $1 AND seq <= $2 AND scope IN (:list)) s`,
  );
/** For the engine with a separate index table (SQLite); events that are not indexed yet do not count. */
export const floorsByIndex = floorsBy('events_by_scope');
/** For the engine whose log has an index by scope (PostgreSQL). */
export const floorsByEvents = floorsBy('events');

export const trimIndex = statement<never, [through: number]>(
  `DELETE FROM events_by_scope WHERE (scope, seq) IN (SELECT scope, seq FROM events WHERE seq <= $1)`,
);

/** Marks the log of every scope as trimmed up to a number: clients that followed a lost log must reload. */
export const noteAllTrimmed = statement<never, [through: number]>(
  `INSERT INTO events_trimmed (scope, seq)
   SELECT 2 * key, CAST($1 AS BIGINT) FROM chats UNION ALL SELECT 2 * key + 1, CAST($1 AS BIGINT) FROM accounts WHERE key > 0
   ON CONFLICT (scope) DO UPDATE SET seq = excluded.seq`,
);

export const trimScopeIndex = statement<never, [scope: number, first: number, last: number]>(
  'DELETE FROM events_by_scope WHERE scope = $1 AND seq >= $2 AND seq <= $3',
);
export const deleteEvents = statement<{ seq: number }>('DELETE FROM events WHERE seq IN (:list) RETURNING seq');
export const trimEvents = statement<never, [through: number]>('DELETE FROM events WHERE seq <= $1');

export const countEvents = statement<{ count: number }>('SELECT count(*) AS count FROM events');
