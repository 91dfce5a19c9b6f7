import type { DecisionKind } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { type Outcome, settleDecision } from '../messages/decisions/settle-decision.ts';
import type { DecisionRow } from '../store/decisions.ts';
import type { Awaitable } from '../store/sql.ts';

type Follow = (call: UnitCall, row: DecisionRow, outcome: Outcome) => Awaitable<void>;

const nothing: Follow = () => undefined;

/** What follows the end of a decision, by its kind, in the unit that ends it. */
const follow: Record<DecisionKind, Follow> = {
  question: nothing,
  call: nothing,
  input: nothing,
  login: nothing,
  budget: nothing,
  permission: nothing,
};

/** Goes on with what has waited for a decision: called after `settleDecision`, and when its message was deleted. */
export const afterDecision: Follow = (call, row, outcome) => follow[row.kind](call, row, outcome);

/** Takes back an open decision, which nobody can decide any more. */
export async function withdraw(call: UnitCall, row: DecisionRow): Promise<void> {
  const outcome = { state: 'withdrawn' as const };
  await settleDecision(call, row, outcome);
  await afterDecision(call, row, outcome);
}
