import { uptime } from 'node:os';
import type { Clock } from '../core/clock.ts';

/** A clock that is never adjusted and keeps running while the process or its machine is suspended. */
const monotonicMs = (): number => uptime() * 1_000;

interface Options {
  clock: Clock;
  /** How long after this node's last sign of life the other nodes give it up. */
  goneMs: number;
  /** Milliseconds of a clock that never goes back. */
  monotonic?: () => number;
}

/** Whether this node still belongs to the cluster, judged by the age of its last sign of life (CLUSTER-38). */
export class Lease {
  readonly #options: Required<Options>;
  #renewedAt: number;
  readonly #waiting = new Set<() => void>();

  constructor(options: Options) {
    this.#options = { monotonic: monotonicMs, ...options };
    this.#renewedAt = this.monotonic();
  }

  /** The time to pass to `renew`. */
  monotonic(): number {
    return this.#options.monotonic();
  }

  /** Records that a sign of life sent at this time has been confirmed. */
  renew(sentAt: number): void {
    this.#renewedAt = sentAt;
    for (const goOn of this.#waiting) goOn();
  }

  get ageMs(): number {
    return this.monotonic() - this.#renewedAt;
  }

  /** True while the others will not give this node up soon: an action that cannot be undone may begin (CLUSTER-39). */
  get isSure(): boolean {
    return this.ageMs < this.#options.goneMs / 2;
  }

  /** True if the others may have given this node up. */
  get isOver(): boolean {
    return this.ageMs >= this.#options.goneMs;
  }

  /**
   * Resolves with true once this node is sure of its membership, or with false if its next sign of life takes too long.
   */
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
