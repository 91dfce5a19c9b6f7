/** Remembers the most recent ids, up to a limit. */
export class RecentIds {
  readonly #ids = new Set<string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** False if the id is already remembered. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    for (const oldest of this.#ids) {
      if (this.#ids.size <= this.#most) break;
      this.#ids.delete(oldest);
    }
    return true;
  }
}
