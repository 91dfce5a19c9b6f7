/** A turn that waits or runs, as far as its turn at the places of its agent's owner is concerned. */
export interface PlacedTurn {
  key: number;
  agent_key: number;
  human_key: number;
}

/** The places of an owner's agents. */
export interface Places {
  /** How many are free. */
  free: number;
  /** How many one agent may have for one human. */
  perQueue: number;
  /** How many each human has already. */
  ofHumans: ReadonlyMap<number, number>;
}

const queueOf = ({ agent_key, human_key }: PlacedTurn): string => `${agent_key} ${human_key}`;

/**
 * Which of the waiting turns of one owner's agents begin now: one after another for the human with the fewest turns of
 * that owner running, among equals for the one that is listed first (TURN-18). `waiting`: the humans in the order in
 * which it is their turn, each one's turns in the order of their firings. `running`: the turns that fill queues.
 */
export function fairTurns<Turn extends PlacedTurn>(
  waiting: readonly Turn[],
  running: readonly PlacedTurn[],
  { free, perQueue, ofHumans }: Places,
): Turn[] {
  const ofHuman = new Map(ofHumans);
  const inQueue = new Map<string, number>();
  const enter = (turn: PlacedTurn): void => void inQueue.set(queueOf(turn), (inQueue.get(queueOf(turn)) ?? 0) + 1);
  for (const turn of running) enter(turn);
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
    enter(next);
    ofHuman.set(next.human_key, (ofHuman.get(next.human_key) ?? 0) + 1);
  }
  return begun;
}
