/** How long a wait lasts before it fails with a description of what has arrived instead. */
const PATIENCE_MS = 10_000;

interface Wait {
  look: () => void;
  fail: (error: Error) => void;
}

/** Waits for a value; code that changes anything must call `look`. */
export class Waits {
  readonly #waits = new Set<Wait>();
  readonly #describe: () => string;
  #failure: Error | null = null;

  constructor(describe: () => string) {
    this.#describe = describe;
  }

  /** Resolves with the first result of `find` that is not undefined. */
  until<Value>(find: () => Value | undefined): Promise<Value> {
    const found = find();
    if (found !== undefined) return Promise.resolve(found);
    if (this.#failure) return Promise.reject(this.#explain(this.#failure));
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waits.delete(wait);
      };
      const wait: Wait = {
        look: () => {
          const value = find();
          if (value === undefined) return;
          end();
          resolve(value);
        },
        fail: (error) => {
          end();
          reject(this.#explain(error));
        },
      };
      const timer = setTimeout(() => wait.fail(new Error('timed out waiting')), PATIENCE_MS);
      this.#waits.add(wait);
    });
  }

  look(): void {
    for (const wait of this.#waits) wait.look();
  }

  /** Fails all waits: nothing more will arrive. */
  fail(error: Error): void {
    this.#failure = error;
    for (const wait of this.#waits) wait.fail(error);
  }

  #explain(error: Error): Error {
    return new Error(`${error.message}; ${this.#describe()}`);
  }
}
