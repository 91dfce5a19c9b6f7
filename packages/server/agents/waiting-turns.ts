// Turns that have ended their stream until people decide.
import type { UnitCall } from '../commits/unit-call.ts';
import { nextState } from '../rules/turn-states.ts';
import { openDecisionsOfTurn } from '../store/decisions.ts';
import { resumeTurn } from '../store/tool-calls.ts';
import { countWaitingOfHuman, turnByKey, type TurnRow } from '../store/turns.ts';

/** Maximum waiting replies of a person (WAIT-8). */
const MAX_WAITING = 100;

/** Whether a person has so many waiting replies that no other one may wait. */
export async function hasTooManyWaiting({ tx }: Pick<UnitCall, 'tx'>, humanKey: number): Promise<boolean> {
  return ((await tx.get(countWaitingOfHuman, humanKey, MAX_WAITING))?.count ?? 0) >= MAX_WAITING;
}

/** Whether a turn that asks nothing yet may ask nothing, because its asker has too many waiting replies. */
export const mayNotWait = async ({ tx }: Pick<UnitCall, 'tx'>, turn: TurnRow): Promise<boolean> =>
  (await tx.all(openDecisionsOfTurn, turn.key)).length === 0 && (await hasTooManyWaiting({ tx }, turn.human_key));

/** Queues a waiting turn again once none of its decisions is open (WAIT-2). */
export async function resumeIfDecided({ tx, intend }: Pick<UnitCall, 'tx' | 'intend'>, turnKey: number): Promise<void> {
  const turn = await tx.get(turnByKey, turnKey);
  if (!turn || nextState(turn.state, 'resume') === null) return;
  if ((await tx.all(openDecisionsOfTurn, turnKey)).length > 0) return;
  await tx.run(resumeTurn, turnKey);
  const { agent_key, human_key, owner_key } = turn;
  intend({ type: 'runTurns', queues: [{ agent_key, human_key, owner_key }] });
}
