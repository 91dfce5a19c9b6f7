/** Wrong passwords in a row before the first pause: the fifth one starts it. */
export const FREE_TRIES = 4;
export const FIRST_PAUSE_MS = 1_000;
export const LONGEST_PAUSE_MS = 900_000;
/** Time without a try after which the count starts again at 0. */
export const FORGET_MS = 86_400_000;
/** Maximum number of keys kept; above it the key tried longest ago is dropped. */
export const MAX_PAUSE_KEYS = 100_000;

/** How long the next try has to wait after this many wrong passwords in a row (AUTH-19). */
export const pauseMs = (wrong: number): number =>
  wrong <= FREE_TRIES ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (wrong - FREE_TRIES - 1));

interface Tried {
  wrong: number;
  at: number;
  /** Time of the try before the last one. */
  previousAt: number;
}

/**
 * Wrong passwords per key, in the memory of one process. A try counts as wrong as soon as it is admitted, so that
 * concurrent tries cannot all pass; a right password then clears the count.
 */
export class PasswordPauses {
  // In the order of the last try: the first entry is the oldest.
  readonly #tried = new Map<string, Tried>();

  waitMs(key: string, now: number): number {
    const { wrong, at } = this.#get(key, now);
    const pause = pauseMs(wrong);
    // At most one pause, whatever clock the caller has.
    return Math.max(0, Math.min(pause, at + pause - now));
  }

  count(key: string, now: number): void {
    const { wrong, at } = this.#get(key, now);
    this.#tried.delete(key);
    this.#tried.set(key, { wrong: wrong + 1, at: now, previousAt: at });
    if (this.#tried.size <= MAX_PAUSE_KEYS) return;
    for (const oldest of this.#tried.keys()) {
      this.#tried.delete(oldest);
      return;
    }
  }

  /**
   * Takes back the try made at `triedAt`, whose password was not checked. The pause then counts from the previous try,
   * unless a later try followed.
   */
  uncount(key: string, triedAt: number): void {
    const tried = this.#tried.get(key);
    if (!tried) return;
    tried.wrong -= 1;
    if (tried.at === triedAt) tried.at = tried.previousAt;
  }

  clear(key: string): void {
    this.#tried.delete(key);
  }

  get size(): number {
    return this.#tried.size;
  }

  #get(key: string, now: number): Tried {
    const tried = this.#tried.get(key);
    return tried && now - tried.at < FORGET_MS ? tried : { wrong: 0, at: now, previousAt: now };
  }
}
