/** How often the use of one token is stored: `last_used_at` is right to a few seconds (ACCESS-4). */
const NOTE_MS = 3_000;
/** Maximum number of tokens whose last note is remembered; without a memory of it a use is noted once more. */
const MAX_REMEMBERED = 10_000;

/** Access tokens in use since housekeeping last stored them. */
export class TokenUses {
  readonly #notedAt = new Map<number, number>();
  readonly #used = new Set<number>();

  note(tokenKey: number, now: number): void {
    if (now - (this.#notedAt.get(tokenKey) ?? -NOTE_MS) < NOTE_MS) return;
    if (this.#notedAt.size >= MAX_REMEMBERED) this.#notedAt.clear();
    this.#notedAt.set(tokenKey, now);
    this.#used.add(tokenKey);
  }

  /** The tokens that were used since the last call. */
  take(): number[] {
    const used = [...this.#used];
    this.#used.clear();
    return used;
  }
}
