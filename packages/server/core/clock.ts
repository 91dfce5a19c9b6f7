import { msSince } from '@parley/protocol/dates';
import { thisThread } from './held-thread.ts';

/** Time as a dependency, never global, so that tests can control it. */
export interface Clock {
  /** The date: milliseconds since the epoch. It can be set at any moment, so it measures no elapsed time (TIME-1). */
  now(): number;
  /** Whole milliseconds of a clock that nobody sets, for elapsed time; its zero means nothing (TIME-1). */
  monotonic(): number;
  setTimer(callback: () => void, ms: number): Timer;
}

export interface Timer {
  /** Prevents the callback from running. Calling it again, or after the callback, has no effect. */
  cancel(): void;
}

/** The longest delay that setTimeout supports; with a longer one it fires immediately. */
const longestTimeoutMs = 2 ** 31 - 1;

/** How much of its source names a callback without a name. */
const MAX_SOURCE = 60;

const nameOf = (callback: () => void) => () => `timer ${callback.name || String(callback).slice(0, MAX_SOURCE)}`;

/** With `unref` its timers do not keep the process alive. */
export function createSystemClock(options: { unref?: boolean } = {}): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => Math.floor(performance.now()),
    setTimer(callback, ms) {
      const run = () => thisThread.run(nameOf(callback), callback);
      let handle: NodeJS.Timeout;
      const arm = (leftMs: number): void => {
        const stepMs = Math.min(leftMs, longestTimeoutMs);
        handle = setTimeout(() => (stepMs === leftMs ? run() : arm(leftMs - stepMs)), stepMs);
        if (options.unref === true) handle.unref();
      };
      arm(ms);
      return { cancel: () => clearTimeout(handle) };
    },
  };
}

export const systemClock: Clock = createSystemClock();

/**
 * The clock of a service. A node takes its dates from the database, which all nodes share: its own clock may be set
 * without any effect (TIME-5).
 */
export class ServiceClock implements Clock {
  readonly #clock: Clock;
  /** The date at the zero of the monotonic clock, when the service started. */
  #zero: number;
  #correctionMs: (() => number) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#zero = msSince(clock.monotonic(), clock.now());
  }

  /**
   * From now on dates are those of another clock: `correctionMs` is how far it is ahead of this one as it was at the
   * start. Called before anything is timed.
   */
  follow(correctionMs: () => number): void {
    this.#zero += correctionMs();
    const atStart = correctionMs();
    this.#correctionMs = () => correctionMs() - atStart;
  }

  now(): number {
    return this.#correctionMs ? this.monotonic() + this.#correctionMs() : this.#clock.now();
  }

  /** Begins near the date, so that nodes can compare when their sockets were opened. */
  monotonic(): number {
    return this.#zero + this.#clock.monotonic();
  }

  setTimer(callback: () => void, ms: number): Timer {
    return this.#clock.setTimer(callback, ms);
  }
}

/** Resolves after `ms`; rejects with the signal's reason when it is aborted. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = clock.setTimer(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    const onAbort = (): void => {
      timer.cancel();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Waits for work; rejects with the signal's reason when it aborts. */
export function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
