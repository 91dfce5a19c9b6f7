/** What is worked on: one after another within a lane, so many at once over all. */
export class TurnQueue<Turn> {
  readonly #run: (turn: Turn) => Promise<void>;
  readonly #most: { running: number; waiting: number };
  readonly #lanes = new Map<string, Turn[]>();
  /** Lanes of which something waits and nothing runs, the one that waits longest first. */
  readonly #ready = new Set<string>();
  readonly #running = new Map<string, Turn>();
  #waiting = 0;
  #idle: (() => void)[] = [];

  /** `run` may not throw. */
  constructor(most: { running: number; waiting: number }, run: (turn: Turn) => Promise<void>) {
    this.#most = most;
    this.#run = run;
  }

  /** All that run, then all that wait. */
  get turns(): Turn[] {
    return [...this.#running.values(), ...[...this.#lanes.values()].flat()];
  }

  /** False where too many wait. */
  add(lane: string, turn: Turn): boolean {
    const isFree = this.#running.size < this.#most.running && !this.#running.has(lane);
    if (!isFree && this.#waiting >= this.#most.waiting) return false;
    this.#lanes.set(lane, [...(this.#lanes.get(lane) ?? []), turn]);
    this.#waiting += 1;
    if (!this.#running.has(lane)) this.#ready.add(lane);
    this.#begin();
    return true;
  }

  /** Forgets all that wait. */
  clear(): void {
    this.#lanes.clear();
    this.#ready.clear();
    this.#waiting = 0;
  }

  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => void this.#idle.push(resolve));
  }

  #begin(): void {
    for (const lane of this.#ready) {
      if (this.#running.size >= this.#most.running) return;
      this.#ready.delete(lane);
      const [turn, ...rest] = this.#lanes.get(lane) ?? [];
      if (turn === undefined) continue;
      if (rest.length > 0) this.#lanes.set(lane, rest);
      else this.#lanes.delete(lane);
      this.#waiting -= 1;
      this.#running.set(lane, turn);
      void this.#run(turn).finally(() => this.#end(lane));
    }
  }

  #end(lane: string): void {
    this.#running.delete(lane);
    if (this.#lanes.has(lane)) this.#ready.add(lane);
    this.#begin();
    if (this.#running.size > 0) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }
}
