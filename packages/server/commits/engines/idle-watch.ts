/**
 * Ticks of the event loop within which a unit must settle or run another statement after the answer to its last one.
 */
const MAX_IDLE_TICKS = 2;

export interface Watched {
  /** Number of statements that are still waiting for an answer. */
  readonly underWay: number;
  isSettled: boolean;
  /** Called if the unit awaits something other than its transaction. */
  stop: () => void;
}

/**
 * Stops units that await anything but their transaction (STORE-5). After the answer to its last statement, a unit
 * continues in microtasks, so a few ticks later it has either settled or run another statement.
 */
export class IdleWatch {
  readonly #idle = new Map<Watched, number>();
  #isDue = false;

  add(unit: Watched): void {
    this.#idle.set(unit, 0);
    this.#later();
  }

  #check(): void {
    this.#isDue = false;
    for (const [unit, ticks] of this.#idle)
      if (unit.isSettled || unit.underWay > 0) this.#idle.delete(unit);
      else if (ticks + 1 < MAX_IDLE_TICKS) this.#idle.set(unit, ticks + 1);
      else {
        this.#idle.delete(unit);
        unit.stop();
      }
    if (this.#idle.size > 0) this.#later();
  }

  #later(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#check());
  }
}
