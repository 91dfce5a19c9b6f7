import { writeAudit } from '../../commits/audit.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { deleteMessages } from '../../conversations/delete-messages.ts';
import { conflict, forbidden, notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { disablePerson, requireRole } from '../../people/administer.ts';
import { isOnlyOwner } from '../../people/only-owner.ts';
import { reportRecord } from '../../rendering/reports.ts';
import { accountByKey } from '../../store/accounts.ts';
import { chatByKey } from '../../store/chats.ts';
import { messageByKey, type MessageRow } from '../../store/messages.ts';
import { endReport, reportById } from '../../store/reports.ts';

export default unit(
  'resolveReport',
  {
    locks: everything,
    addsData: false,
    audit: ({ report_id: target, action }, { message_id, sender }) => ({
      target,
      details: { action, message: message_id, sender },
    }),
  },
  async (call, { report_id, action, note = null }) => {
    const { tx, caller, now } = call;
    if (action === 'disable') await requireRole(call, 'admin');
    const id = idBytes(report_id);
    const report = await tx.get(reportById, id);
    if (!report) throw notFound('report');
    const message = await tx.get(messageByKey, report.message_key);
    if (!message) throw new Error('a report has no message');
    await requireAnother(call, message);
    if (report.state !== 'open') throw conflict('this report is resolved');
    if (action === 'delete') await deleteForAll(call, message);
    if (action === 'disable') await disableSender(call, message);
    await tx.run(endReport, report.key, caller.key, action, note, now);
    const resolved = await tx.get(reportById, id);
    if (!resolved) throw notFound('report');
    return reportRecord(tx, resolved);
  },
);

/** Somebody else resolves reports of what one wrote, or one's agent, if there is somebody (REPORT-4). */
async function requireAnother({ tx, caller }: UnitCall, message: MessageRow): Promise<void> {
  const sender = await tx.get(accountByKey, message.sender_key);
  if (caller.key !== (sender?.parent_key ?? sender?.key) || (await isOnlyOwner(tx, caller))) return;
  throw forbidden('somebody else resolves reports of your messages');
}

/** As its sender could; one that is deleted stays so. */
async function deleteForAll(call: UnitCall, message: MessageRow): Promise<void> {
  const chat = await call.tx.get(chatByKey, message.chat_key);
  if (chat && message.deleted_at === null) await deleteMessages(call, chat, [message]);
}

/**
 * Disables the person who wrote the message, or whose agent did, if the caller may (REPORT-4). It has the row of
 * setAccountDisabled too, which names the person.
 */
async function disableSender(call: UnitCall, message: MessageRow): Promise<void> {
  const sender = await call.tx.get(accountByKey, message.sender_key);
  if (!sender) throw new Error('a message has no sender');
  const target = sender.parent_username ?? sender.username;
  if (await disablePerson(call, target))
    await writeAudit(call, 'setAccountDisabled', { target, details: { disabled: true } });
}
