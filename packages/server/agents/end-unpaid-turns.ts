import type { UnitCall } from '../commits/unit-call.ts';
import { accountByKey, isGuide } from '../store/accounts.ts';
import type { TurnRow } from '../store/turns.ts';
import { endReplies } from './end-replies.ts';
import { ownerPays, payerOf } from './owner-key.ts';

/**
 * Ends those of the given turns, running or queued, whose owner's key no longer pays for their human (KEY-13). It can
 * end turns in conversations that the unit's input does not name, so units that call it lock everything.
 */
export async function endUnpaidTurns(call: UnitCall, turns: readonly TurnRow[]): Promise<void> {
  const { tx } = call;
  const unpaid: TurnRow[] = [];
  for (const turn of turns) {
    const agent = await tx.get(accountByKey, turn.agent_key);
    if (!agent || isGuide(agent)) continue;
    const isPaid =
      turn.state === 'queued'
        ? (await payerOf(tx, agent, turn.human_key)) !== null
        : turn.payer !== 'owner' || (await ownerPays(tx, agent, turn.human_key));
    if (!isPaid) unpaid.push(turn);
  }
  await endReplies(call, unpaid, []);
}
