import type { Clock } from './clock.ts';

interface Limits {
  clock: Clock;
  maxBytes: number;
  maxCount: number;
  /** How long a value is kept. */
  keptMs: number;
}

interface Entry<Value> {
  value: Promise<Value>;
  /** 0 while it is being made. */
  bytes: number;
  madeAt: number;
}

/** Values that take long to make, kept for a while within bounded memory. The least recently used one goes first. */
export class RecentValues<Value> {
  readonly #limits: Limits;
  readonly #entries = new Map<string, Entry<Value>>();
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns a kept value, or makes it. Callers that ask while it is being made share it; a failure is not kept. */
  get(key: string, bytesOf: (value: Value) => number, make: () => Promise<Value>): Promise<Value> {
    const now = this.#limits.clock.monotonic();
    const kept = this.#entries.get(key);
    if (kept && now - kept.madeAt < this.#limits.keptMs) {
      this.#entries.delete(key);
      this.#entries.set(key, kept);
      return kept.value;
    }
    this.#drop(key);
    const entry: Entry<Value> = { value: make(), bytes: 0, madeAt: now };
    this.#entries.set(key, entry);
    entry.value.then(
      (value) => this.#made(key, entry, bytesOf(value)),
      () => this.#entries.get(key) === entry && this.#drop(key),
    );
    return entry.value;
  }

  /** Drops the values that were kept for long enough; called now and then, so that no value stays in memory unused. */
  expire(): void {
    const now = this.#limits.clock.monotonic();
    for (const [key, { madeAt }] of this.#entries) if (now - madeAt >= this.#limits.keptMs) this.#drop(key);
  }

  #made(key: string, entry: Entry<Value>, bytes: number): void {
    if (this.#entries.get(key) !== entry) return;
    entry.bytes = bytes;
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limits.maxBytes && this.#entries.size <= this.#limits.maxCount) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
