import { afterDecision } from '../agents/after-decision.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { buryMessages } from '../messages/bury-messages.ts';
import type { ChatRow } from '../store/chats.ts';
import { decisionOf, type DecisionRow } from '../store/decisions.ts';
import { mark, type MessageRow } from '../store/messages.ts';
import { dropTitleOf } from './first-titles.ts';

/** Deletes messages of one conversation for everybody, with what follows from that (DEL-1). */
export async function deleteMessages(call: UnitCall, chat: ChatRow, rows: readonly MessageRow[]): Promise<void> {
  const open = await openDecisions(call, rows);
  await buryMessages(call, chat.key, rows);
  for (const row of open) await afterDecision(call, row, { state: 'withdrawn' });
  await dropTitleOf(call, chat, rows);
}

/** The open decisions of messages: what waits for them has to go on without. */
async function openDecisions({ tx }: UnitCall, rows: readonly MessageRow[]): Promise<DecisionRow[]> {
  const open: DecisionRow[] = [];
  for (const { key, marks } of rows) {
    const row = marks & mark.decision ? await tx.get(decisionOf, key) : undefined;
    if (row?.state === 'open') open.push(row);
  }
  return open;
}
