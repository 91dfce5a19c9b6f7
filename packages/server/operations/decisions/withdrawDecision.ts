import type { Input } from '@parley/protocol';
import { withdraw } from '../../agents/after-decision.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import { chatAndSenderOf, type LockRule } from '../../commits/unit-locks.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { hasEnded, isOpen, requireDecision } from '../../messages/decisions/require-decision.ts';
import { accountByKey } from '../../store/accounts.ts';
import { decisionOf, type DecisionRow } from '../../store/decisions.ts';
import { lightByIdOfAny } from '../../store/messages.ts';
import { unit } from '../handler.ts';

const locks: LockRule<Input<'withdrawDecision'>> = ({ input }) => [chatAndSenderOf(input.decision_id)];

export default unit('withdrawDecision', { locks, addsData: false }, async (call, { decision_id }) => {
  const row = (await ownDecision(call, decision_id)) ?? (await managedDecision(call, decision_id));
  if (row.kind !== 'question') throw forbidden('a reply waits for this decision: stop the reply instead');
  if (!isOpen(row, call.now)) throw hasEnded(row);
  const message = await withdraw(call, row);
  if (!message) throw notFound('decision');
  return message;
});

/**
 * What the caller has asked, or an agent of the caller unless it is private, whether the caller sees it or not
 * (DECIDE-11).
 */
async function ownDecision({ tx, caller }: UnitCall, decisionId: string): Promise<DecisionRow | undefined> {
  const message = await tx.get(lightByIdOfAny, idBytes(decisionId));
  const row = message && message.deleted_at === null ? await tx.get(decisionOf, message.key) : undefined;
  const asker = row && (await tx.get(accountByKey, row.asker_key));
  const isOfAgent = asker?.parent_key === caller.key && row?.is_private === 0;
  return asker?.key === caller.key || isOfAgent ? row : undefined;
}

/** What others have asked in a group that the caller manages. */
async function managedDecision(call: UnitCall, decisionId: string): Promise<DecisionRow> {
  const { row, chat } = await requireDecision(call, decisionId);
  if (chat.kind === 'group' && chat.role !== 'member') return row;
  throw forbidden('only who has asked, and the owner and admins of the group, can take back a decision');
}
