/**
 * Accounts, with their agents, that were deleted or disabled since the store was opened. Callers are authenticated
 * before their units run, so units of these accounts are refused (AUTH-18). A change is undone if its unit or batch
 * fails.
 */
export class ShutOut {
  readonly #keys = new Set<number>();
  /** Changes of the running batch. */
  readonly #changes: { key: number; wasOut: boolean }[] = [];

  has(key: number): boolean {
    return this.#keys.has(key);
  }

  set(key: number, isOut: boolean): void {
    this.#changes.push({ key, wasOut: this.#keys.has(key) });
    this.#put(key, isOut);
  }

  /** The current position in the list of changes, for `rollBackTo`. */
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
