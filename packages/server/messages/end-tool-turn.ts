import type { ToolStatus } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { idText } from '../core/ids.ts';
import { statusOfCall } from '../rules/call-results.ts';
import { unsentCallState } from '../rules/call-states.ts';
import { openDecisionsOfTurn } from '../store/decisions.ts';
import { callsOfTurn, dropSteps, dropToolTurn, endCallRow } from '../store/tool-calls.ts';
import type { TurnRow } from '../store/turns.ts';
import { settleDecision } from './decisions/settle-decision.ts';

/**
 * Ends what a turn that used tools leaves behind, however it ended: its open decisions are withdrawn, its calls are over,
 * and its steps are deleted (WAIT-6, CALL-13). Resolves with what became of each call, by its id.
 */
export async function endToolTurn(
  call: Pick<UnitCall, 'tx' | 'now' | 'accounts' | 'settings' | 'emit' | 'intend'>,
  { key, steps }: Pick<TurnRow, 'key' | 'steps'>,
): Promise<ReadonlyMap<string, ToolStatus>> {
  const statuses = new Map<string, ToolStatus>();
  if (steps === 0) return statuses;
  const { tx, now } = call;
  for (const row of await tx.all(callsOfTurn, key)) {
    const next = unsentCallState(row, 'withdraw');
    if (next !== null) await tx.run(endCallRow, row.key, next, null, now);
    statuses.set(idText(row.id), statusOfCall(next ?? row.state));
  }
  for (const row of await tx.all(openDecisionsOfTurn, key)) await settleDecision(call, row, { state: 'withdrawn' });
  await tx.run(dropSteps, key);
  await tx.run(dropToolTurn, key);
  return statuses;
}
