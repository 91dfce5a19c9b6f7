import type { UnitCall } from '../commits/unit-call.ts';
import { account } from '../commits/lock-names.ts';
import { everything, internalUnit } from '../commits/unit-locks.ts';
import { callerOf } from '../agents/caller-of.ts';
import { GUIDE_NAME } from '../agents/ensure-guide.ts';
import { announceAdded } from '../conversations/announce.ts';
import { pairOf, makeChat } from '../conversations/make-chat.ts';
import { locksToSendAlone, sendMessage } from '../conversations/send-message.ts';
import { announceScheduled, dropScheduled, type Failure, sendScheduled } from '../conversations/scheduled.ts';
import { accountScope } from '../core/event-kinds.ts';
import { idText } from '../core/ids.ts';
import { hasBlocked } from '../store/blocks.ts';
import { accountByKey, accountByName } from '../store/accounts.ts';
import { messageById, recordOf, visibleStatus } from '../store/messages.ts';
import { failScheduled, scheduledByKey, type ScheduledRow } from '../store/scheduled.ts';

/** What an account has scheduled, and whose time has come. */
export interface Due {
  key: number;
  accountKey: number;
  chat_id: string;
}

/**
 * The row, unless it was sent, cancelled or postponed since the runner read it. The store may give the key of a
 * deleted row to a row of another account.
 */
export async function stillDue(
  { tx, now }: UnitCall,
  { key, accountKey }: Due,
  state: ScheduledRow['state'] = 'waiting',
): Promise<ScheduledRow | undefined> {
  const row = await tx.get(scheduledByKey, key);
  return row?.account_key === accountKey && row.state === state && row.due_at <= now ? row : undefined;
}

/** Sends a message that is due; the caller is its author (SCHEDULE-5). */
export const sendDue = internalUnit({ locks: locksToSendAlone }, async (call: UnitCall, due: Due): Promise<void> => {
  const row = await stillDue(call, due);
  if (row) await sendScheduled(call, row);
});

/** Keeps a message that could not be sent, deletes a reminder, and alerts the account (SCHEDULE-6, SCHEDULE-21). */
export const failDue = internalUnit(
  { locks: ({ input }) => [account(input.accountKey)] },
  async (
    call: UnitCall,
    { kind, failure, ...due }: Due & { kind: 'message' | 'reminder'; failure: Failure },
  ): Promise<void> => {
    const row = await stillDue(call, due);
    if (!row) return;
    if (kind === 'reminder') await dropScheduled(call, row);
    else {
      await call.tx.run(failScheduled, row.key, JSON.stringify(failure));
      announceScheduled(call, row.account_key, row.chat_id);
    }
    call.emit({
      scope: accountScope(row.account_key),
      kind: 'alert',
      params: {
        title: kind === 'reminder' ? 'A reminder could not be sent' : 'Scheduled message not sent',
        text: `Reason: ${failure.message}.${kind === 'reminder' ? '' : ' You find the message under Scheduled.'}`,
        level: 'error',
        cause: { kind: kind === 'reminder' ? 'reminder_failed' : 'scheduled_failed', ...failure },
      },
    });
  },
);

/**
 * Lets the guide send the reminder, so that it is unread, pushed and kept like any message (SCHEDULE-21). Locks everything:
 * the chat with the guide may have to be created.
 */
export const remindDue = internalUnit({ locks: everything }, async (call: UnitCall, due: Due): Promise<void> => {
  const { tx } = call;
  const row = await stillDue(call, due);
  if (!row) return;
  await dropScheduled(call, row);
  const message = row.message_id ? await tx.get(messageById, row.message_id, row.account_key) : undefined;
  const [person, guide] = [await tx.get(accountByKey, row.account_key), await tx.get(accountByName, GUIDE_NAME)];
  if (!message || !person || !guide) return;
  if (!(await tx.get(visibleStatus, message.key, person.key)) || (await hasBlocked(tx, person.key, guide.key))) return;
  const sender = await tx.get(accountByKey, message.sender_key);
  const { conversation_id, channel_id, thread_root_id, id } = recordOf(message);
  const chat = await makeChat(call, {
    kind: 'direct',
    title: null,
    pair: pairOf(person.key, guide.key),
    members: [person, guide].map(({ key, kind }) => ({ accountKey: key, kind, role: 'member', alwaysOn: null })),
  });
  if (chat.isNew) await announceAdded(call, chat.key, [person.key]);
  await sendMessage(
    { ...call, caller: callerOf(guide) },
    // In code a username is no mention and starts no agent.
    { chat_id: idText(chat.id), text: `You asked to be reminded of a message from \`${sender?.username ?? ''}\`.` },
    {
      reminder_of: { chat_id: conversation_id, channel_id, thread_root_id, message_id: id, sender: sender?.username },
    },
  );
});
