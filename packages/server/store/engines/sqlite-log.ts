import { joinMessage, shownMessage, type ShownEventRow } from '../log.ts';
import type { SqlValue, Statement } from '../sql.ts';

/** A statement in SQL that only SQLite understands. */
const onSqlite = <Row, Params extends readonly SqlValue[] = []>(sql: string): Statement<Row, Params> => ({ sql });

/** The next events of the log, of any scope; those of the listed scopes, a JSON array, with their messages. */
export const scanShown = onSqlite<
  ShownEventRow,
  [account: number, after: number, through: number, limit: number, scopes: string]
>(
  `SELECT e.seq, e.scope, e.kind, e.ref, e.params, e.created_at, ${shownMessage}
   FROM events e ${joinMessage('e')} AND e.scope IN (SELECT value FROM json_each($5))
   WHERE e.seq > $2 AND e.seq <= $3 ORDER BY e.seq LIMIT $4`,
);
