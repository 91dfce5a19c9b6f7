/** Maximum number of replies whose words are kept. */
const MAX_KEPT = 50;

/** What providers said about the replies that failed since the page was loaded, by message (ALERT-7). */
export class ProviderWords {
  readonly #words = new Map<string, string>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  of(messageId: string): string | undefined {
    return this.#words.get(messageId);
  }

  keep(messageId: string, words: string): void {
    this.#words.set(messageId, words);
    const [oldest] = this.#words.keys();
    if (this.#words.size > MAX_KEPT && oldest !== undefined) this.#words.delete(oldest);
    for (const listener of this.#listeners) listener();
  }
}
