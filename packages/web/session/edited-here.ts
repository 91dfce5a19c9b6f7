/** The messages that were edited on this page, until the offer to answer them again is declined. */
export class EditedHere {
  readonly #ids = new Set<string>();
  /** Those whose offer has not been in view yet. */
  readonly #fresh = new Set<string>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  set(id: string, isEdited: boolean): void {
    if (isEdited) this.#fresh.add(id);
    if (isEdited) this.#ids.add(id);
    else this.#ids.delete(id);
    for (const listener of this.#listeners) listener();
  }

  /** True once for each edit: then the offer is brought into view. */
  takeFresh(id: string): boolean {
    return this.#fresh.delete(id);
  }
}
