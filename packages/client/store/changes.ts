/** Gathers what changes during one piece of work, and tells each subscriber once, when all of it is done. */
export class Changes {
  #depth = 0;
  /** What is worked out from the rest, once a piece of work: a list's order, a sum. */
  #later = new Set<() => void>();
  #told = new Set<() => void>();

  /** Runs the work; the outermost one tells. */
  run<Result>(work: () => Result): Result {
    this.#depth += 1;
    try {
      return work();
    } finally {
      if (this.#depth === 1) this.#finish();
      this.#depth -= 1;
    }
  }

  /** Before anybody is told; the same function runs once. */
  later(work: () => void): void {
    this.#later.add(work);
    if (this.#depth === 0) this.run(() => {});
  }

  tell(listeners: Iterable<() => void>): void {
    for (const listener of listeners) this.#told.add(listener);
    if (this.#depth === 0) this.run(() => {});
  }

  #finish(): void {
    // What a listener sets in turn is told in the next round.
    while (this.#later.size > 0 || this.#told.size > 0) {
      const [later, told] = [this.#later, this.#told];
      this.#later = new Set();
      if (later.size > 0) {
        for (const work of later) work();
        continue;
      }
      this.#told = new Set();
      for (const listener of told) call(listener);
    }
  }
}

/** What a subscriber throws is its own affair. */
function call(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
