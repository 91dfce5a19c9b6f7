// Turns that have ended their stream until people decide.
import type { UnitCall } from '../commits/unit-call.ts';
import { nextState } from '../rules/turn-states.ts';
import { openDecisionsOfTurn } from '../store/decisions.ts';
import { resumeTurn } from '../store/tool-calls.ts';
import { turnByKey } from '../store/turns.ts';

/** Maximum waiting replies of a person (WAIT-8). */
export const MAX_WAITING = 100;

/** Queues a waiting turn again once none of its decisions is open (WAIT-2). */
export async function resumeIfDecided({ tx, intend }: Pick<UnitCall, 'tx' | 'intend'>, turnKey: number): Promise<void> {
  const turn = await tx.get(turnByKey, turnKey);
  if (!turn || nextState(turn.state, 'resume') === null) return;
  if ((await tx.all(openDecisionsOfTurn, turnKey)).length > 0) return;
  await tx.run(resumeTurn, turnKey);
  const { agent_key, human_key, owner_key } = turn;
  intend({ type: 'runTurns', queues: [{ agent_key, human_key, owner_key }] });
}
