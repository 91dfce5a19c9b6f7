import type { Lane } from '../store/turns.ts';

/** Lanes looked into in one turn of the event loop: a start may find very many. */
const LANES_AT_ONCE = 64;

/** The firings of each agent for each human: how many of them run, and where some may wait for their turn (TURN-11). */
export class TurnLanes {
  readonly #fill: (lane: Lane) => void;
  readonly #running = new Map<string, number>();
  readonly #due = new Map<string, Lane>();
  #isScheduled = false;

  constructor(fill: (lane: Lane) => void) {
    this.#fill = fill;
  }

  runningIn(lane: Lane): number {
    return this.#running.get(nameOf(lane)) ?? 0;
  }

  began(lane: Lane): void {
    this.#running.set(nameOf(lane), this.runningIn(lane) + 1);
  }

  ended(lane: Lane): void {
    const left = this.runningIn(lane) - 1;
    if (left > 0) this.#running.set(nameOf(lane), left);
    else this.#running.delete(nameOf(lane));
  }

  /** Something may wait in these lanes: however often that is said, each is looked into once, a turn of the loop later. */
  wake(lanes: Iterable<Lane>): void {
    for (const lane of lanes) this.#due.set(nameOf(lane), lane);
    if (this.#isScheduled || this.#due.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => this.#look());
  }

  #look(): void {
    this.#isScheduled = false;
    let left = LANES_AT_ONCE;
    for (const [name, lane] of this.#due) {
      if (left === 0) break;
      left -= 1;
      this.#due.delete(name);
      this.#fill(lane);
    }
    this.wake([]);
  }
}

const nameOf = ({ agent_key, human_key }: Lane): string => `${agent_key} ${human_key}`;
