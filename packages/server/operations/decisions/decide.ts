import type { Input } from '@parley/protocol';
import { afterDecision } from '../../agents/after-decision.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import { chatAndSenderOf, type LockRule } from '../../commits/unit-locks.ts';
import { forbidden, invalid, notFound } from '../../core/errors.ts';
import { hasEnded, isOpen, requireDecision } from '../../messages/decisions/require-decision.ts';
import { decisionIn, settleDecision } from '../../messages/decisions/settle-decision.ts';
import { assertMayReact } from '../../messages/may-write.ts';
import { messageJson } from '../../rendering/messages.ts';
import { checkedFields, chosenOption, isSameAnswer } from '../../rules/decisions.ts';
import { type DecisionRow, isDecider } from '../../store/decisions.ts';
import { unit } from '../handler.ts';

// Locks the conversation of the decision, whose id is that of its message, and the asker's stored bytes.
const locks: LockRule<Input<'decide'>> = ({ input }) => [chatAndSenderOf(input.decision_id)];

/** The first valid answer wins (DECIDE-5). */
export default unit(
  'decide',
  { locks, addsData: ({ fields }) => fields !== undefined },
  async (call, { decision_id, ...given }) => {
    const { tx, caller, now } = call;
    if (caller.kind !== 'human') throw forbidden('only people decide');
    const { row, message, chat } = await requireDecision(call, decision_id);
    const by = caller.username;
    // Who has decided may repeat it, whatever its role is now; what is said later is not checked any more.
    if (isSameAnswer(decisionIn(row), { by, ...given })) return messageJson(call, message);
    if (!(await tx.get(isDecider, row.message_key, caller.key))) throw forbidden('you are none of the deciders');
    if (!isOpen(row, now)) throw hasEnded(row);
    const answer = answerOf(row, given);
    await assertMayReact(call, chat);
    return end(call, row, { state: 'decided', by, ...answer });
  },
);

/** The answer as it is stored; 400 if it does not fit (DECIDE-6). */
function answerOf(row: DecisionRow, given: Pick<Input<'decide'>, 'option' | 'fields'>) {
  const decision = decisionIn(row);
  const option = chosenOption(decision, given.option);
  if (option === undefined) throw invalid('option', given.option === undefined ? 'is required' : 'is not offered');
  const checked = checkedFields(decision.form, option, given.fields);
  if ('misfit' in checked) throw invalid(checked.misfit.field, checked.misfit.problem);
  return { option, fields: checked.fields };
}

async function end(call: UnitCall, row: DecisionRow, outcome: Parameters<typeof settleDecision>[2]) {
  const message = await settleDecision(call, row, outcome);
  await afterDecision(call, row, outcome);
  if (!message) throw notFound('decision');
  return message;
}
