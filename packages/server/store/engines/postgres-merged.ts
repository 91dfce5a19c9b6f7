// Statements that many units of a batch run at the same moment, as one statement for all of them: run one by one, most
// of their cost is PostgreSQL's preparation of each.
import { chatToSend, touchChat } from '../chats.ts';
import { insertMessage } from '../messages.ts';
import type { Statement } from '../sql.ts';
import { growStored } from '../stored-bytes.ts';

/** An element's type in PostgreSQL. */
export type ElementType = 'BIGINT' | 'TEXT' | 'BYTEA';

/** A statement for many sets of parameters: its n-th parameter is the array of their n-th values. */
export interface Merged {
  readonly sql: string;
  readonly types: readonly ElementType[];
  /** Whether each row ends with the number (from 1) of its set; otherwise the n-th row belongs to the n-th set. */
  readonly isNumbered: boolean;
}

const arrays = (types: readonly ElementType[]): string =>
  `unnest(${types.map((type, at) => `CAST($${at + 1} AS ${type}[])`).join(', ')})`;

/** A query that returns any number of rows for each set. */
const query = ({ sql }: Statement, ...types: ElementType[]): Merged => ({
  sql: `SELECT r.*, q.at FROM ${arrays(types)} WITH ORDINALITY AS q (${types.map((_, at) => `p${at + 1}`).join(', ')}, at)
    CROSS JOIN LATERAL (${sql.replaceAll(/\$(\d+)/g, 'q.p$1')}) r`,
  types,
  isNumbered: true,
});

const touch: ElementType[] = ['BIGINT', 'BIGINT'];
const insert: ElementType[] = [
  'BYTEA',
  'BIGINT',
  'BIGINT',
  'BIGINT',
  'BIGINT',
  'TEXT',
  'BIGINT',
  'BIGINT',
  'TEXT',
  'BYTEA',
  'TEXT',
];

/**
 * By the text of the single statement. The order of its sets is kept, but not its place among the other statements of
 * the same moment, so none of those may depend on it.
 */
export const merged: ReadonlyMap<string, Merged> = new Map([
  [chatToSend.sql, query(chatToSend, 'BYTEA', 'BIGINT', 'TEXT', 'BIGINT')],
  [
    touchChat.sql,
    {
      sql: `UPDATE chats SET updated_at = q.now
        FROM (SELECT key, max(now) AS now FROM ${arrays(touch)} AS u (key, now) GROUP BY key) q
        WHERE chats.key = q.key AND chats.updated_at < q.now`,
      types: touch,
      isNumbered: false,
    },
  ],
  [
    growStored.sql,
    {
      sql: `INSERT INTO stored_bytes (owner_key, bytes)
        SELECT owner, CAST(sum(bytes) AS BIGINT) FROM ${arrays(touch)} AS u (owner, bytes) GROUP BY owner
        ON CONFLICT (owner_key) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes`,
      types: touch,
      isNumbered: false,
    },
  ],
  [
    insertMessage.sql,
    {
      // oxlint-disable-next-line parley/linear-expressions -- the statement is a constant
      sql: insertMessage.sql.replace(/VALUES .* RETURNING/s, `SELECT * FROM ${arrays(insert)} RETURNING`),
      types: insert,
      isNumbered: false,
    },
  ],
]);
