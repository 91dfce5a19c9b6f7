/** Time, for everything that has time: given, never global, so that a test moves it by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  setTimer(callback: () => void, ms: number): Timer;
}

export interface Timer {
  /** After this the callback does not run. A second call, or one after the callback, does nothing. */
  cancel(): void;
}

/** Beyond this setTimeout fires at once. */
const longestTimeoutMs = 2 ** 31 - 1;

/** `unref`: timers that do not keep the process alive. */
export function createSystemClock(options: { unref?: boolean } = {}): Clock {
  return {
    now: () => Date.now(),
    setTimer(callback, ms) {
      let handle: NodeJS.Timeout;
      const arm = (leftMs: number): void => {
        const stepMs = Math.min(leftMs, longestTimeoutMs);
        handle = setTimeout(() => (stepMs === leftMs ? callback() : arm(leftMs - stepMs)), stepMs);
        if (options.unref === true) handle.unref();
      };
      arm(ms);
      return { cancel: () => clearTimeout(handle) };
    },
  };
}

export const systemClock: Clock = createSystemClock();

/** A clock that is set right from time to time; its timers run as those of the other one. */
export class AdjustedClock implements Clock {
  readonly #clock: Clock;
  offsetMs: () => number = () => 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now() + this.offsetMs();
  }

  setTimer(callback: () => void, ms: number): Timer {
    return this.#clock.setTimer(callback, ms);
  }
}

/** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
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
