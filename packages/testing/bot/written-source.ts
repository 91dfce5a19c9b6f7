/** A source for `ctx.stream` that the test writes. */
export class WrittenSource implements AsyncIterable<string> {
  readonly #chunks: (() => IteratorResult<string>)[] = [];
  #wake: () => void = () => {};
  /** Resolves when the bot closes the source early. */
  readonly left = Promise.withResolvers<void>();

  write(text: string): void {
    this.#add(() => ({ value: text, done: false }));
  }

  end(): void {
    this.#add(() => ({ value: undefined, done: true }));
  }

  fail(error: Error): void {
    this.#add(() => {
      throw error;
    });
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return {
      next: async () => {
        while (this.#chunks.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
        return this.#chunks.shift()?.() ?? { value: undefined, done: true };
      },
      return: async () => {
        this.left.resolve();
        return { value: undefined, done: true };
      },
    };
  }

  #add(step: () => IteratorResult<string>): void {
    this.#chunks.push(step);
    this.#wake();
  }
}
