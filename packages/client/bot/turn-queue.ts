/** Runs turns: one at a time per timeline, up to a limit over all timelines. */
export class TurnQueue<Turn> {
  readonly #run: (turn: Turn) => Promise<void>;
  readonly #most: { running: number; waiting: number };
  readonly #waitingTurns = new Map<string, Turn[]>();
  /** Timelines with waiting turns and none running, longest waiting first. */
  readonly #ready = new Set<string>();
  readonly #running = new Map<string, Turn>();
  #waiting = 0;
  #idle: (() => void)[] = [];

  /** `run` must not throw. */
  constructor(most: { running: number; waiting: number }, run: (turn: Turn) => Promise<void>) {
    this.#most = most;
    this.#run = run;
  }

  /** Running turns, then waiting ones. */
  get turns(): Turn[] {
    return [...this.#running.values(), ...[...this.#waitingTurns.values()].flat()];
  }

  /** False if too many turns wait. */
  add(timeline: string, turn: Turn): boolean {
    const isFree = this.#running.size < this.#most.running && !this.#running.has(timeline);
    if (!isFree && this.#waiting >= this.#most.waiting) return false;
    this.#wait(timeline, turn);
    return true;
  }

  /** Adds a turn that has begun before, whatever waits. */
  again(timeline: string, turn: Turn): void {
    this.#wait(timeline, turn);
  }

  /** Drops all waiting turns. */
  clear(): void {
    this.#waitingTurns.clear();
    this.#ready.clear();
    this.#waiting = 0;
  }

  /** Resolves when no turn runs or waits. */
  idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => void this.#idle.push(resolve));
  }

  #wait(timeline: string, turn: Turn): void {
    this.#waitingTurns.set(timeline, [...(this.#waitingTurns.get(timeline) ?? []), turn]);
    this.#waiting += 1;
    if (!this.#running.has(timeline)) this.#ready.add(timeline);
    this.#begin();
  }

  #begin(): void {
    for (const timeline of this.#ready) {
      if (this.#running.size >= this.#most.running) return;
      this.#ready.delete(timeline);
      const [turn, ...rest] = this.#waitingTurns.get(timeline) ?? [];
      if (turn === undefined) continue;
      if (rest.length > 0) this.#waitingTurns.set(timeline, rest);
      else this.#waitingTurns.delete(timeline);
      this.#waiting -= 1;
      this.#running.set(timeline, turn);
      void this.#run(turn).finally(() => this.#end(timeline));
    }
  }

  #end(timeline: string): void {
    this.#running.delete(timeline);
    if (this.#waitingTurns.has(timeline)) this.#ready.add(timeline);
    this.#begin();
    if (this.#running.size > 0) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }
}
