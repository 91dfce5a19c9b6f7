/** A turn that waits or runs, as far as its turn at the places of its agent's owner is concerned. */
export interface PlacedTurn {
  key: number;
  agent_key: number;
  human_key: number;
}

/** How many turns may run at once: of the owner's agents that are still free, and of one agent for one human. */
export interface Places {
  free: number;
  perQueue: number;
}

const queueOf = ({ agent_key, human_key }: PlacedTurn): string => `${agent_key} ${human_key}`;

/**
 * Which of the waiting turns of one owner's agents begin now: one after another for the human with the fewest turns of
 * that owner running, among equals for the one that is listed first (TURN-18). `waiting`: the humans in the order in
 * which it is their turn, each one's turns in the order of their firings.
 */
export function fairTurns<Turn extends PlacedTurn>(
  waiting: readonly Turn[],
  running: readonly PlacedTurn[],
  { free, perQueue }: Places,
): Turn[] {
  const ofHuman = new Map<number, number>();
  const inQueue = new Map<string, number>();
  const place = (turn: PlacedTurn): void => {
    ofHuman.set(turn.human_key, (ofHuman.get(turn.human_key) ?? 0) + 1);
    inQueue.set(queueOf(turn), (inQueue.get(queueOf(turn)) ?? 0) + 1);
  };
  for (const turn of running) place(turn);
  const left = new Set(waiting);
  const begun: Turn[] = [];
  while (begun.length < free) {
    let next: Turn | undefined;
    for (const turn of left) {
      if ((inQueue.get(queueOf(turn)) ?? 0) >= perQueue) left.delete(turn);
      else if (!next || (ofHuman.get(turn.human_key) ?? 0) < (ofHuman.get(next.human_key) ?? 0)) next = turn;
    }
    if (!next) break;
    left.delete(next);
    begun.push(next);
    place(next);
  }
  return begun;
}
