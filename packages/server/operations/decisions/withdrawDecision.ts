import type { Input } from '@parley/protocol';
import { chatAndSenderOf, type LockRule } from '../../commits/unit-locks.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import { hasEnded, isOpen, requireDecision } from '../../messages/decisions/require-decision.ts';
import { settleDecision } from '../../messages/decisions/settle-decision.ts';
import { accountByKey } from '../../store/accounts.ts';
import { unit } from '../handler.ts';

const locks: LockRule<Input<'withdrawDecision'>> = ({ input }) => [chatAndSenderOf(input.decision_id)];

export default unit('withdrawDecision', { locks, addsData: false }, async (call, { decision_id }) => {
  const { tx, caller, now } = call;
  const { row, chat } = await requireDecision(call, decision_id);
  const asker = await tx.get(accountByKey, row.asker_key);
  const manages = chat.kind === 'group' && chat.role !== 'member';
  if (row.asker_key !== caller.key && asker?.parent_key !== caller.key && !manages)
    throw forbidden('only who has asked, and the owner and admins of the group, can take back a decision');
  if (row.kind !== 'question') throw forbidden('a reply waits for this decision: stop the reply instead');
  if (!isOpen(row, now)) throw hasEnded(row);
  const message = await settleDecision(call, row, { state: 'withdrawn' });
  if (!message) throw notFound('decision');
  return message;
});
