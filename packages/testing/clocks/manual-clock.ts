import type { Clock, Timer } from '@parley/server/core/clock.ts';
import { readsAnswered } from '../stores/slow-reads.ts';
import { turnOfLoop } from './turn-of-loop.ts';

interface Pending {
  readonly dueAt: number;
  readonly callback: () => void;
}

/** Waits for one tick of the event loop, which also empties the microtask queue, so that code after a timer has run. */
async function settle(): Promise<void> {
  await turnOfLoop();
  await readsAnswered();
}

/** How far the monotonic clock is from the date: whoever confuses the two is wrong by years. */
const APART_MS = 1_000_000_000;

/** A clock that only moves when a test advances it. */
export class ManualClock implements Clock {
  readonly #zero: number;
  /** Time since the start. */
  #passedMs = 0;
  #steppedMs = 0;
  #pending = new Set<Pending>();
  #watchers = new Set<() => void>();

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#zero = now;
  }

  now(): number {
    return this.#zero + this.#passedMs + this.#steppedMs;
  }

  monotonic(): number {
    return APART_MS + this.#passedMs;
  }

  /** Sets the date, forward or back: no time passes. */
  step(ms: number): void {
    this.#steppedMs += ms;
  }

  setTimer(callback: () => void, ms: number): Timer {
    const pending = { dueAt: this.#passedMs + Math.max(0, ms), callback };
    this.#pending.add(pending);
    for (const watcher of this.#watchers) watcher();
    return { cancel: () => void this.#pending.delete(pending) };
  }

  /** Number of waiting timers. A test that ends with some has leaked them. */
  get pendingTimers(): number {
    return this.#pending.size;
  }

  /** Advances the time and fires due timers in order, including timers set on the way. */
  async advance(ms: number): Promise<void> {
    const until = this.#passedMs + ms;
    await settle();
    for (let next = this.#earliest(until); next !== undefined; next = this.#earliest(until)) {
      this.#pending.delete(next);
      this.#passedMs = Math.max(this.#passedMs, next.dueAt);
      next.callback();
      await settle();
    }
    this.#passedMs = until;
  }

  /** Passes the time at once, as when the machine sleeps: a timer that became due meanwhile fires once, at the end. */
  async sleep(ms: number): Promise<void> {
    this.#passedMs += ms;
    await this.advance(0);
  }

  /** Resolves once a timer is due in exactly `ms`: the code under test has started to wait. */
  async timerSet(ms: number): Promise<void> {
    const isSet = (): boolean => [...this.#pending].some((pending) => pending.dueAt === this.#passedMs + ms);
    if (isSet()) return;
    await new Promise<void>((resolve) => {
      const watcher = (): void => {
        if (!isSet()) return;
        this.#watchers.delete(watcher);
        resolve();
      };
      this.#watchers.add(watcher);
    });
  }

  #earliest(until: number): Pending | undefined {
    let earliest: Pending | undefined;
    // Insertion order decides between timers with the same time, hence `<`.
    for (const pending of this.#pending) {
      if (pending.dueAt <= until && (earliest === undefined || pending.dueAt < earliest.dueAt)) earliest = pending;
    }
    return earliest;
  }
}
