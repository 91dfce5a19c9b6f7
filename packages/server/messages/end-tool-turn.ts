import type { UnitCall } from '../commits/unit-call.ts';
import { nextCallState } from '../rules/call-states.ts';
import { openDecisionsOfTurn } from '../store/decisions.ts';
import { callsOfTurn, dropSteps, dropToolTurn, endCallRow } from '../store/tool-calls.ts';
import type { TurnRow } from '../store/turns.ts';
import { settleDecision } from './decisions/settle-decision.ts';

/**
 * Ends what a turn that used tools leaves behind, however it ended: its open decisions are withdrawn, its calls are over,
 * and its steps are deleted (WAIT-6, CALL-13).
 */
export async function endToolTurn(
  call: Pick<UnitCall, 'tx' | 'now' | 'accounts' | 'settings' | 'emit' | 'intend'>,
  { key, steps }: Pick<TurnRow, 'key' | 'steps'>,
): Promise<void> {
  if (steps === 0) return;
  const { tx, now } = call;
  for (const row of await tx.all(callsOfTurn, key)) {
    const next = nextCallState(row.state, 'withdraw');
    if (next !== null) await tx.run(endCallRow, row.key, next, null, now);
  }
  for (const row of await tx.all(openDecisionsOfTurn, key)) await settleDecision(call, row, { state: 'withdrawn' });
  await tx.run(dropSteps, key);
  await tx.run(dropToolTurn, key);
}
