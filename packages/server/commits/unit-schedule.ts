import type { UnitRequest } from './unit-runner.ts';
import type { Lock } from './lock-names.ts';

/** Maximum waiting units that are checked for one that can run now. */
const MAX_CHECKED = 1_024;

/** A waiting or running unit. */
export interface Planned {
  readonly request: UnitRequest;
  /** 'all' if no other unit may run at the same time. */
  locks: readonly Lock[] | 'all';
  /** False while some of its locks are being looked up. */
  isReady: boolean;
  /** When it was posted. */
  readonly since: number;
  /** Estimated size in memory. */
  readonly bytes: number;
}

export interface Chosen {
  units: readonly Planned[];
  /** Whether the units run one after another, and no other unit runs at the same time. */
  isExclusive: boolean;
}

interface Holders {
  shared: number;
  alone: number;
}

/**
 * The waiting units of a node. They run in order of arrival, but a unit may overtake a waiting one with which it shares
 * no lock. Units that share a lock always run in order of arrival.
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

  /** Total bytes of the waiting units. */
  get bytes(): number {
    return this.#bytes;
  }

  add(unit: Planned): void {
    this.#waiting.push(unit);
    this.#bytes += unit.bytes;
  }

  /** Takes at most `most` units that can run now. They count as running until `release`. */
  take(most: number): Chosen | null {
    const first = this.#waiting[0];
    if (!first || this.#isAlone) return null;
    if (first.locks === 'all') return this.#takeExclusive(most);
    const passed = new Map<string, Holders>();
    const units: Planned[] = [];
    for (const unit of this.#waiting.slice(0, MAX_CHECKED)) {
      if (unit.locks === 'all' || units.length === most) break;
      const { locks } = unit;
      if (unit.isReady && !locks.some((lock) => collides(this.#held, lock) || collides(passed, lock))) units.push(unit);
      else for (const lock of locks) hold(passed, lock, 1);
    }
    return this.#start(units, false);
  }

  /** Frees the locks of units that have ended. */
  release({ units, isExclusive }: Chosen): void {
    this.#running -= units.length;
    if (isExclusive) this.#isAlone = false;
    for (const { locks } of units) if (locks !== 'all') for (const lock of locks) hold(this.#held, lock, -1);
  }

  /** Removes and returns the units that were posted before a time, or all units if there is none. */
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
