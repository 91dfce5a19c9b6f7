import type { UnitRequest } from './unit-runner.ts';
import type { Lock } from './lock-names.ts';

/** Units behind the first that are looked at for some that can go before it. */
const LOOKED_AT = 1_024;

/** A unit that waits for its turn, or runs. */
export interface Planned {
  readonly request: UnitRequest;
  /** All: beside nothing else. */
  locks: readonly Lock[] | 'all';
  /** False while some of its locks are being looked up. */
  isReady: boolean;
  /** When it was posted. */
  readonly since: number;
  /** What it holds in memory, about. */
  readonly bytes: number;
}

export interface Chosen {
  units: readonly Planned[];
  /** They run beside nothing else, one after another. */
  isExclusive: boolean;
}

interface Holders {
  shared: number;
  alone: number;
}

/**
 * The units of a node that wait: first come, first served, but a unit that has to wait for another lets those pass that
 * need nothing of what it needs. Two that share a lock run in the order in which they came.
 */
export class UnitSchedule {
  #waiting: Planned[] = [];
  #bytes = 0;
  readonly #held = new Map<string, Holders>();
  #running = 0;
  #isAlone = false;

  get size(): number {
    return this.#waiting.length;
  }

  /** Of all that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  add(unit: Planned): void {
    this.#waiting.push(unit);
    this.#bytes += unit.bytes;
  }

  /** Some that may run now, at most so many; they run until they are given back. */
  take(most: number): Chosen | null {
    const first = this.#waiting[0];
    if (!first || this.#isAlone) return null;
    if (first.locks === 'all') return this.#takeExclusive(most);
    const passed = new Map<string, Holders>();
    const units: Planned[] = [];
    for (const unit of this.#waiting.slice(0, LOOKED_AT)) {
      if (unit.locks === 'all' || units.length === most) break;
      const { locks } = unit;
      if (unit.isReady && !locks.some((lock) => collides(this.#held, lock) || collides(passed, lock))) units.push(unit);
      else for (const lock of locks) hold(passed, lock, 1);
    }
    return this.#start(units, false);
  }

  /** They have ended. */
  release({ units, isExclusive }: Chosen): void {
    this.#running -= units.length;
    if (isExclusive) this.#isAlone = false;
    for (const { locks } of units) if (locks !== 'all') for (const lock of locks) hold(this.#held, lock, -1);
  }

  /** Takes those away that have waited since before then, or all. */
  giveUp(before = Number.POSITIVE_INFINITY): Planned[] {
    const old = this.#waiting.filter(({ since }) => since < before);
    if (old.length > 0) this.#waiting = this.#waiting.filter(({ since }) => since >= before);
    for (const { bytes } of old) this.#bytes -= bytes;
    return old;
  }

  #takeExclusive(most: number): Chosen | null {
    if (this.#running > 0) return null;
    const others = this.#waiting.findIndex(({ locks }) => locks !== 'all');
    const count = Math.min(most, others < 0 ? this.#waiting.length : others);
    return this.#start(this.#waiting.slice(0, count), true);
  }

  #start(units: Planned[], isExclusive: boolean): Chosen | null {
    if (units.length === 0) return null;
    const taken = new Set(units);
    this.#waiting = this.#waiting.filter((unit) => !taken.has(unit));
    for (const { bytes } of units) this.#bytes -= bytes;
    this.#running += units.length;
    this.#isAlone = isExclusive;
    for (const { locks } of units) if (locks !== 'all') for (const lock of locks) hold(this.#held, lock, 1);
    return { units, isExclusive };
  }
}

function collides(holders: ReadonlyMap<string, Holders>, { id, isShared }: Lock): boolean {
  const found = holders.get(id);
  return found !== undefined && (found.alone > 0 || (!isShared && found.shared > 0));
}

function hold(holders: Map<string, Holders>, { id, isShared }: Lock, change: 1 | -1): void {
  const found = holders.get(id) ?? { shared: 0, alone: 0 };
  if (isShared) found.shared += change;
  else found.alone += change;
  if (found.shared + found.alone === 0) holders.delete(id);
  else holders.set(id, found);
}
