// The versions of replies that were regenerated (REGEN-1).
import type { MessageStatus } from '@parley/protocol';
import { statement } from './sql.ts';

/** `versions` of a message, as JSON text. */
export const versionsOf = statement<{ value: string }, [message: number]>(
  'SELECT value FROM reply_versions WHERE message_key = $1',
);

export interface VersionRow {
  key: number;
  id: Uint8Array;
  status: MessageStatus;
  marks: number;
}
const versionColumns = 'm.key, m.id, m.status, m.marks';
/** The replies of an agent to a message that are not deleted, oldest first. For the `+` see `turnOf`. */
export const repliesOf = statement<VersionRow, [message: number, agent: number]>(
  `SELECT ${versionColumns} FROM messages m WHERE m.deleted_at IS NULL
     AND m.key IN (SELECT reply_key FROM turns WHERE message_key = $1 AND +agent_key = $2 AND reply_key IS NOT NULL)
   ORDER BY m.key`,
);
/** The version that was current when this one was begun. */
export const replacedBy = statement<{ replaced_key: number | null }, [message: number]>(
  'SELECT replaced_key FROM reply_versions WHERE message_key = $1',
);
/** Keeps the `replaced_key` that a row has. */
export const putVersions = statement<never, [message: number, value: string, replaced: number | null]>(
  `INSERT INTO reply_versions (message_key, value, replaced_key) VALUES ($1, $2, $3)
   ON CONFLICT (message_key) DO UPDATE SET value = excluded.value`,
);
export const dropVersions = statement<never, [message: number]>('DELETE FROM reply_versions WHERE message_key = $1');
/** Replaces some marks of a message, the bits of `mask`. */
export const setMarks = statement<never, [message: number, mask: number, marks: number]>(
  'UPDATE messages SET marks = marks - (marks & $2) + $3 WHERE key = $1 AND (marks & $2) <> $3',
);
