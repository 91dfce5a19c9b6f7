/**
 * Accounts that were deleted or disabled since the store was opened, with their agents. Who called was looked up before
 * the call came to its turn: these change nothing any more (AUTH-18). A change lasts if its unit and its batch do.
 */
export class ShutOut {
  readonly #keys = new Set<number>();
  /** What the batch has changed so far. */
  readonly #changes: { key: number; wasOut: boolean }[] = [];

  has(key: number): boolean {
    return this.#keys.has(key);
  }

  set(key: number, isOut: boolean): void {
    this.#changes.push({ key, wasOut: this.#keys.has(key) });
    this.#put(key, isOut);
  }

  /** A place to go back to. */
  get place(): number {
    return this.#changes.length;
  }

  rollBackTo(place: number): void {
    for (const { key, wasOut } of this.#changes.splice(place).toReversed()) this.#put(key, wasOut);
  }

  commit(): void {
    this.#changes.length = 0;
  }

  #put(key: number, isOut: boolean): void {
    if (isOut) this.#keys.add(key);
    else this.#keys.delete(key);
  }
}
