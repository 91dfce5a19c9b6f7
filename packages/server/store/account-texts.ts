import type { Sql } from './sql.ts';

/** Maximum number of accounts kept, of a few hundred bytes each. */
const MAX_KEPT = 20_000;

/**
 * Accounts as wire JSON text, by key. `accountJson` fills it; whoever changes an account forgets it. A page of messages
 * then renders each sender once, and most messages need no read but their own row.
 */
export class AccountTexts {
  readonly #texts = new Map<number, string>();
  readonly #maxKept: number;

  constructor(maxKept = MAX_KEPT) {
    this.#maxKept = maxKept;
  }

  get(accountKey: number): string | undefined {
    return this.#texts.get(accountKey);
  }

  /** Keeps a text; beyond the maximum, the one that was kept first makes room for it. */
  set(accountKey: number, text: string): void {
    if (this.#maxKept === 0) return;
    if (this.#texts.size >= this.#maxKept && !this.#texts.has(accountKey)) {
      const [oldest] = this.#texts.keys();
      if (oldest !== undefined) this.#texts.delete(oldest);
    }
    this.#texts.set(accountKey, text);
  }

  forget(accountKey: number): void {
    this.#texts.delete(accountKey);
  }

  clear(): void {
    this.#texts.clear();
  }
}

/** What accounts, messages and conversations are rendered from: every `Call` has both. */
export interface RenderSource {
  readonly tx: Sql;
  readonly accounts: AccountTexts;
}

/** Keeps nothing: for reads beside writers on other nodes, which change accounts unannounced. */
export const noAccountTexts = new AccountTexts(0);
