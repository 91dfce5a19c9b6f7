// Reports of messages to the moderators of the installation (REPORT-1), and who has made them.
import type { ReportAction, ReportState } from '@parley/protocol';
import { isKeptBy } from './chat-states.ts';
import { isNoNotice, isPublic } from './marks.ts';
import { mark, messageColumns, type MessageRow } from './messages.ts';
import { statement } from './sql.ts';

export interface ReportRow {
  key: number;
  id: Uint8Array;
  message_key: number;
  created_at: number;
  /** JSON text; null once the report is resolved. */
  copy: string | null;
  state: ReportState;
  resolver: string | null;
  action: ReportAction | 'expired' | null;
  note: string | null;
  resolved_at: number | null;
}

const columns = `r.key, r.id, r.message_key, r.created_at, r.copy, r.state, r.action, r.note, r.resolved_at,
  (SELECT a.username FROM accounts a WHERE a.key = r.resolver_key) AS resolver`;

export const reportById = statement<ReportRow, [id: Uint8Array]>(`SELECT ${columns} FROM reports r WHERE r.id = $1`);
export const reportOfRevision = statement<{ key: number; id: Uint8Array }, [message: number, revision: number]>(
  'SELECT key, id FROM reports WHERE message_key = $1 AND revision = $2',
);
export const insertReport = statement<
  { key: number },
  [id: Uint8Array, message: number, revision: number, now: number, copy: string]
>('INSERT INTO reports (id, message_key, revision, created_at, copy) VALUES ($1, $2, $3, $4, $5) RETURNING key');
export const insertReporter = statement<never, [report: number, account: number, now: number, reason: string | null]>(
  'INSERT INTO reporters (report_key, account_key, at, reason) VALUES ($1, $2, $3, $4)',
);
export const openReportsOf = statement<{ count: number }, [account: number]>(
  `SELECT count(*) AS count FROM reporters p JOIN reports r ON r.key = p.report_key
   WHERE p.account_key = $1 AND r.state = 'open'`,
);
export const reportersOf = statement<{ username: string; reason: string | null; at: number }, [report: number]>(
  `SELECT a.username, p.reason, p.at FROM reporters p JOIN accounts a ON a.key = p.account_key
   WHERE p.report_key = $1 ORDER BY p.at, p.account_key LIMIT 20`,
);
export const countReporters = statement<{ count: number }, [report: number]>(
  'SELECT count(*) AS count FROM reporters WHERE report_key = $1',
);
export const hasReported = statement<{ found: 1 }, [report: number, account: number]>(
  'SELECT 1 AS found FROM reporters WHERE report_key = $1 AND account_key = $2',
);
/** Forgets what a deleted account wrote to the moderators; that it reported stays until the report is deleted. */
export const forgetReasonsOf = statement<never, [account: number]>(
  'UPDATE reporters SET reason = NULL WHERE account_key = $1',
);
/** Not of messages that the account or its agents wrote (REPORT-4); 0: of all. */
const isByOthers = `NOT EXISTS (SELECT 1 FROM messages m JOIN accounts a ON a.key = m.sender_key
  WHERE m.key = r.message_key AND $3 IN (a.key, a.parent_key))`;
/** Oldest first, after a key. */
export const openReports = statement<ReportRow, [after: number, limit: number, without: number]>(
  `SELECT ${columns} FROM reports r WHERE r.state = 'open' AND r.key > $1 AND ${isByOthers} ORDER BY r.key LIMIT $2`,
);
/** Newest first, before a key. */
export const resolvedReports = statement<ReportRow, [before: number, limit: number, without: number]>(
  `SELECT ${columns} FROM reports r WHERE r.state = 'resolved' AND r.key < $1 AND ${isByOthers} ORDER BY r.key DESC LIMIT $2`,
);
/** Ends an open report, and forgets the copy. */
export const endReport = statement<
  never,
  [key: number, resolver: number | null, action: ReportAction | 'expired', note: string | null, now: number]
>(
  `UPDATE reports SET state = 'resolved', copy = NULL, resolver_key = $2, action = $3, note = $4, resolved_at = $5
   WHERE key = $1 AND state = 'open'`,
);
export const dueReports = statement<{ key: number }, [before: number, limit: number]>(
  "SELECT key FROM reports WHERE state = 'open' AND created_at <= $1 ORDER BY created_at LIMIT $2",
);
export const oldReports = statement<{ key: number }, [before: number, limit: number]>(
  "SELECT key FROM reports WHERE state = 'resolved' AND resolved_at <= $1 ORDER BY resolved_at LIMIT $2",
);
export const deleteReports = statement<never>('DELETE FROM reports WHERE key IN (:list)');
export const deleteReporters = statement<never>('DELETE FROM reporters WHERE report_key IN (:list)');

type Place = [chat: number, channel: number, thread: number, account: number, key: number];
/** Messages of people and agents around one, that the reporter sees and that are for everybody who takes part (REPORT-3). */
const around = `SELECT ${messageColumns} FROM messages m
  WHERE m.chat_key = $1 AND m.channel_key = $2 AND m.thread_key = $3 AND m.deleted_at IS NULL
    AND m.status <> 'streaming' AND (m.marks & ${mark.replaced}) = 0 AND ${isNoNotice('m')} AND ${isPublic('m')}
    AND ${isKeptBy('$4', '$1')}`;
/** Newest first. */
export const twoBefore = statement<MessageRow, Place>(`${around} AND m.key < $5 ORDER BY m.key DESC LIMIT 2`);
export const twoAfter = statement<MessageRow, Place>(`${around} AND m.key > $5 ORDER BY m.key LIMIT 2`);
