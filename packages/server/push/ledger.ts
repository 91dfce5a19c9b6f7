/** Maximum number of rows kept for live recipients whose connection may turn out to be dead. */
const MAX_KEPT = 100_000;

/** Tracks which queue rows are still needed: those with pending pushes, and for a while those of live recipients. */
export class Ledger {
  readonly #needs = new Map<number, number>();
  /** Ordered by time. */
  #kept: { messageKey: number; until: number }[] = [];
  #done: number[] = [];

  /** Number of rows that are needed. */
  get size(): number {
    return this.#needs.size;
  }

  get isSettled(): boolean {
    return this.#done.length === 0 && this.#kept.length === 0;
  }

  need(messageKey: number): void {
    this.#needs.set(messageKey, (this.#needs.get(messageKey) ?? 0) + 1);
  }

  release(messageKey: number): void {
    const left = (this.#needs.get(messageKey) ?? 0) - 1;
    if (left > 0) this.#needs.set(messageKey, left);
    else {
      this.#needs.delete(messageKey);
      this.#done.push(messageKey);
    }
  }

  /** Keeps a row until a time, which must not be earlier than that of a previous call. */
  keep(messageKey: number, until: number): void {
    const last = this.#kept.at(-1);
    if (last?.messageKey === messageKey && last.until === until) return;
    this.need(messageKey);
    this.#kept.push({ messageKey, until });
  }

  /** Returns up to `most` rows that are not needed at `now`. */
  takeDone(now: number, most: number): number[] {
    let lapsed = this.#kept.findIndex(({ until }) => until > now);
    if (lapsed < 0) lapsed = this.#kept.length;
    lapsed = Math.max(lapsed, this.#kept.length - MAX_KEPT);
    for (const { messageKey } of this.#kept.splice(0, lapsed)) this.release(messageKey);
    return this.#done.splice(0, most);
  }

  /** Returns rows whose deletion failed. */
  putBack(messageKeys: readonly number[]): void {
    this.#done.push(...messageKeys);
  }
}
