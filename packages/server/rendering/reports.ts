import type { Report } from '@parley/protocol';
import { idText } from '../core/ids.ts';
import type { ReportedCopy } from '../rules/reported-copy.ts';
import { accountByKey } from '../store/accounts.ts';
import { messageByKey, recordOf } from '../store/messages.ts';
import { countReporters, type ReportRow, reportersOf } from '../store/reports.ts';
import type { Sql } from '../store/sql.ts';

/** The wire Report of a row. */
export async function reportRecord(tx: Sql, row: ReportRow): Promise<Report> {
  const message = await tx.get(messageByKey, row.message_key);
  const sender = message && (await tx.get(accountByKey, message.sender_key));
  if (!sender) throw new Error('a report has no message, or it has no sender');
  const { id, conversation_id } = recordOf(message);
  const reporters = await tx.all(reportersOf, row.key);
  return {
    id: idText(row.id),
    state: row.state,
    message_id: id,
    conversation_id,
    sender: sender.username,
    // Written by reportMessage.
    ...(row.copy === null ? {} : (JSON.parse(row.copy) as ReportedCopy)),
    reporters: reporters.map(({ username, reason, at }) => ({
      username,
      ...(reason !== null && { reason }),
      at: new Date(at).toISOString(),
    })),
    reporter_count: (await tx.get(countReporters, row.key))?.count ?? 0,
    created_at: new Date(row.created_at).toISOString(),
    ...(row.action !== null && {
      resolution: {
        action: row.action,
        ...(row.resolver !== null && { by: row.resolver }),
        ...(row.note !== null && { note: row.note }),
        at: new Date(row.resolved_at ?? 0).toISOString(),
      },
    }),
  };
}
