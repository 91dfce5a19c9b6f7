/** A unit has settled, or asked for something else, within so many turns of the loop after its last answer. */
const TURNS = 2;

export interface Watched {
  /** Statements without an answer yet. */
  readonly underWay: number;
  isSettled: boolean;
  /** Called for one that awaits neither. */
  stop: () => void;
}

/**
 * A unit may await nothing but its transaction (STORE-5). One that has an answer to all it has asked goes on with the
 * microtasks behind it: some turns of the loop later it has settled, or asked again.
 */
export class IdleWatch {
  readonly #idle = new Map<Watched, number>();
  #isDue = false;

  add(unit: Watched): void {
    this.#idle.set(unit, 0);
    this.#later();
  }

  #look(): void {
    this.#isDue = false;
    for (const [unit, turns] of this.#idle)
      if (unit.isSettled || unit.underWay > 0) this.#idle.delete(unit);
      else if (turns + 1 < TURNS) this.#idle.set(unit, turns + 1);
      else {
        this.#idle.delete(unit);
        unit.stop();
      }
    if (this.#idle.size > 0) this.#later();
  }

  #later(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#look());
  }
}
