/** Batches the changes of one piece of work and notifies each subscriber once at its end. */
export class Changes {
  #depth = 0;
  /** Functions that derive values from others (an order, a sum), run once per batch. */
  #later = new Set<() => void>();
  #toNotify = new Set<() => void>();

  /** Runs the work; the outermost call notifies subscribers. */
  run<Result>(work: () => Result): Result {
    this.#depth += 1;
    try {
      return work();
    } finally {
      if (this.#depth === 1) this.#finish();
      this.#depth -= 1;
    }
  }

  /** Runs `work` once before subscribers are notified. */
  later(work: () => void): void {
    this.#later.add(work);
    if (this.#depth === 0) this.run(() => {});
  }

  notify(listeners: Iterable<() => void>): void {
    for (const listener of listeners) this.#toNotify.add(listener);
    if (this.#depth === 0) this.run(() => {});
  }

  #finish(): void {
    // Changes made by listeners are reported in the next round.
    while (this.#later.size > 0 || this.#toNotify.size > 0) {
      const [later, toNotify] = [this.#later, this.#toNotify];
      this.#later = new Set();
      if (later.size > 0) {
        for (const work of later) work();
        continue;
      }
      this.#toNotify = new Set();
      for (const listener of toNotify) call(listener);
    }
  }
}

/** Errors in subscribers do not reach the store. */
function call(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
