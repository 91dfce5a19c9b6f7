/** The messages that were edited on this page, until the offer to answer them again is declined. */
export class EditedHere {
  readonly #ids = new Set<string>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  set(id: string, isEdited: boolean): void {
    if (isEdited) this.#ids.add(id);
    else this.#ids.delete(id);
    for (const listener of this.#listeners) listener();
  }
}
