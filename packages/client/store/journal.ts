/** Maximum entries kept: more than events arrive during a fetch. */
const MOST_KEPT = 5_000;

/**
 * Events that arrived during a fetch, to be applied again to its result, which may be older. Empty while nothing is
 * being fetched.
 */
export class Journal {
  readonly #entries: (() => void)[] = [];
  #open = 0;

  get isOpen(): boolean {
    return this.#open > 0;
  }

  /** Records an event. Running `again` a second time, followed by all later entries, must change nothing. */
  add(again: () => void): void {
    if (this.#open > 0 && this.#entries.length < MOST_KEPT) this.#entries.push(again);
  }

  /** Starts recording. Call `replay` with the result of the fetch, and `end` in any case, also if it failed. */
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
