// Reports of messages: making, listing and resolving them.
import type { UnitCall } from '../../commits/unit-call.ts';
import { account } from '../../commits/lock-names.ts';
import { chatOf } from '../../commits/unit-locks.ts';
import { unitThen } from '../handler.ts';
import { conflict, forbidden, notFound, ServiceError } from '../../core/errors.ts';
import { idBytes, idText } from '../../core/ids.ts';
import { isGone, isVisible } from '../../messages/visibility.ts';
import { actorOf } from '../../rendering/accounts.ts';
import { reportedMessage, type ReportedCopy } from '../../rules/reported-copy.ts';
import { accountByKey } from '../../store/accounts.ts';
import { isParticipant } from '../../store/chats.ts';
import { messageById, type MessageRow, recordOf } from '../../store/messages.ts';
import {
  hasReported,
  insertReport,
  insertReporter,
  openReportsOf,
  reportOfRevision,
  twoAfter,
  twoBefore,
} from '../../store/reports.ts';

/** Maximum open reports that an account takes part in, so that nobody floods the moderators. */
const MAX_OPEN = 50;

interface Made {
  id: string;
  /** Whether the caller had not reported it before. */
  isNew: boolean;
}

export default unitThen<'reportMessage', Made>(
  'reportMessage',
  {
    // The caller's own reports are counted.
    locks: ({ caller, input }) => [chatOf(input.message_id), account(caller.key)],
    audit: ({ message_id: target }, { id, isNew }) => (isNew ? { target, details: { report: id } } : null),
  },
  async (call, { message_id, reason }) => {
    const { tx, caller, now } = call;
    const row = await requireReadable(call, message_id);
    const revision = recordOf(row).content_revision;
    const former = await tx.get(reportOfRevision, row.key, revision);
    if (former && (await tx.get(hasReported, former.key, caller.key))) return { id: idText(former.id), isNew: false };
    if (((await tx.get(openReportsOf, caller.key))?.count ?? 0) >= MAX_OPEN)
      throw new ServiceError('rate_limited', `${MAX_OPEN} of your reports are still open`, { retry_after: 3_600 });
    const id = former?.id ?? call.newId();
    const made = former ?? (await tx.get(insertReport, id, row.key, revision, now, await copyOf(call, row)));
    if (!made) throw new Error('an INSERT … RETURNING gave no row');
    await tx.run(insertReporter, made.key, caller.key, now, reason ?? null);
    return { id: idText(id), isNew: true };
  },
  (_call, { id }) => ({ id }),
);

/** The message, for an account that can read it: whoever sees it may report it (REPORT-1). */
async function requireReadable(call: UnitCall, messageId: string): Promise<MessageRow> {
  const { tx, caller } = call;
  const row = await tx.get(messageById, idBytes(messageId), caller.key);
  if (!row || (await isGone(call, row))) throw notFound('message');
  if (!(await tx.get(isParticipant, row.chat_key, caller.key)))
    throw forbidden('you do not take part in this conversation');
  // The caller has hidden or cleared it.
  if (!(await isVisible(call, row))) throw notFound('message');
  if (row.status === 'streaming') throw conflict('this message is still being written');
  return row;
}

async function copyOf({ tx, caller }: UnitCall, row: MessageRow): Promise<string> {
  const place = [row.chat_key, row.channel_key, row.thread_key, caller.key, row.key] as const;
  const shown = async (one: MessageRow) => {
    const sender = await tx.get(accountByKey, one.sender_key);
    if (!sender) throw new Error('a message has no sender');
    return reportedMessage(actorOf(sender), recordOf(one), one.key === row.key);
  };
  const several = (rows: readonly MessageRow[]) => Promise.all(rows.map(shown));
  const copy: ReportedCopy = {
    message: await shown(row),
    before: await several((await tx.all(twoBefore, ...place)).toReversed()),
    after: await several(await tx.all(twoAfter, ...place)),
  };
  return JSON.stringify(copy);
}
