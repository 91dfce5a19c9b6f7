import type { Clock, Timer } from '@parley/server/core/clock.ts';

/** Records waiting timers, so that a world can report forgotten ones at its end. */
export class CountingClock implements Clock {
  readonly #clock: Clock;
  /** Waiting timers. The stack of the error says where each was set; building its text is left until it is needed. */
  readonly #waiting = new Map<Timer, Error>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  setTimer(callback: () => void, ms: number): Timer {
    const inner = this.#clock.setTimer(() => {
      this.#waiting.delete(timer);
      callback();
    }, ms);
    const timer: Timer = {
      cancel: () => {
        this.#waiting.delete(timer);
        inner.cancel();
      },
    };
    this.#waiting.set(timer, new Error(`a timer of ${ms} ms`));
    return timer;
  }

  /** Delay and place of creation of each pending timer. */
  get pending(): string[] {
    return [...this.#waiting.values()].map(callerOf);
  }
}

const callerOf = ({ message, stack = '' }: Error): string => {
  const lines = stack.split('\n').filter((line) => line.includes(' at ') && !line.includes('counting-clock'));
  return `${message} set${lines[0]?.replace(/^\s+/, ' ') ?? ''}`;
};
