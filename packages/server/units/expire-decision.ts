import { afterDecision } from '../agents/after-decision.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { chatAndSenderOf, internalUnit } from '../commits/unit-locks.ts';
import { isOpen } from '../messages/decisions/require-decision.ts';
import { settleDecision } from '../messages/decisions/settle-decision.ts';
import { decisionOf } from '../store/decisions.ts';

/** A decision whose time has run out. */
interface Due {
  messageKey: number;
  messageId: string;
}

/** Ends a decision whose time has run out, unless it has ended meanwhile (DECIDE-8). */
export const expireDecision = internalUnit(
  { locks: ({ input }) => [chatAndSenderOf(input.messageId)] },
  async (call: UnitCall, { messageKey }: Due): Promise<void> => {
    const row = await call.tx.get(decisionOf, messageKey);
    if (row?.state !== 'open' || isOpen(row, call.now)) return;
    const outcome = { state: 'expired' as const };
    await settleDecision(call, row, outcome);
    await afterDecision(call, row, outcome);
  },
);
