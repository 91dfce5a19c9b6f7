/** More than come in the time of a fetch. */
const MOST_KEPT = 5_000;

/**
 * What has happened while something was being fetched: done again on what has come, which may be older. Nothing is
 * kept while nothing is fetched.
 */
export class Journal {
  readonly #entries: (() => void)[] = [];
  #open = 0;

  get isOpen(): boolean {
    return this.#open > 0;
  }

  /** `again` may be done any number of times, if all that came behind it is done again too. */
  add(again: () => void): void {
    if (this.#open > 0 && this.#entries.length < MOST_KEPT) this.#entries.push(again);
  }

  /** Answers what to do when the fetch has come; it has to be called, also when it failed. */
  begin(): { replay: () => void; end: () => void } {
    const from = this.#entries.length;
    this.#open += 1;
    return {
      replay: () => {
        for (const again of this.#entries.slice(from)) again();
      },
      end: () => {
        this.#open -= 1;
        if (this.#open === 0) this.#entries.length = 0;
      },
    };
  }
}
