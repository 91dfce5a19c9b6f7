import { uptime } from 'node:os';
import type { Clock } from '../core/clock.ts';

/** By a clock that nobody sets, and that goes on while the process, or its machine, stands still. */
const monotonicMs = (): number => uptime() * 1_000;

interface Options {
  clock: Clock;
  /** The others give this node up when they have seen no sign of life of it for so long. */
  goneMs: number;
  /** Milliseconds that never go back. */
  monotonic?: () => number;
}

/** What a node knows by itself of whether it still belongs to the others: how old its last sign of life is (CLUSTER-38). */
export class Lease {
  readonly #options: Required<Options>;
  #renewedAt: number;
  readonly #waiting = new Set<() => void>();

  constructor(options: Options) {
    this.#options = { monotonic: monotonicMs, ...options };
    this.#renewedAt = this.now();
  }

  /** For `renew`. */
  now(): number {
    return this.#options.monotonic();
  }

  /** A sign of life that was sent off at this moment has come. */
  renew(sentAt: number): void {
    this.#renewedAt = sentAt;
    for (const goOn of this.#waiting) goOn();
  }

  get ageMs(): number {
    return this.now() - this.#renewedAt;
  }

  /** Nobody gives this node up for as long again: what cannot be taken back may be begun (CLUSTER-39). */
  get isSure(): boolean {
    return this.ageMs < this.#options.goneMs / 2;
  }

  /** The others may have given it up. */
  get isOver(): boolean {
    return this.ageMs >= this.#options.goneMs;
  }

  /** Resolves with true once it is sure, with false where that takes longer than the next sign of life should. */
  async sure(): Promise<boolean> {
    if (this.isSure) return true;
    const renewed = Promise.withResolvers<void>();
    const timer = this.#options.clock.setTimer(renewed.resolve, this.#options.goneMs / 4);
    this.#waiting.add(renewed.resolve);
    await renewed.promise;
    this.#waiting.delete(renewed.resolve);
    timer.cancel();
    return this.isSure;
  }
}
