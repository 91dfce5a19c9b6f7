import type { Cell, Client } from '@parley/client';
import { allBlocked } from './blocked-people.ts';

type Names = ReadonlySet<string>;

/** Whom one has blocked. No event tells of it (BLOCK-2): it is asked for when it matters, and kept while it is changed. */
export class BlockedNames implements Cell<Names | null> {
  readonly #client: Client;
  readonly #listeners = new Set<() => void>();
  #names: Names | null = null;
  #loading: Promise<void> | null = null;
  /** How often it was changed here: what was asked for before that is no news. */
  #changes = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** null: not known yet. */
  readonly get = (): Names | null => this.#names;

  readonly subscribe = (listener: () => void): (() => void) => {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  };

  /** Asks for it, also where it is known: it may have been changed elsewhere. */
  async load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  async block(username: string): Promise<void> {
    await this.#client.call('blockUser', { username });
    this.#change((names) => names.add(username));
  }

  async unblock(username: string): Promise<void> {
    await this.#client.call('unblockUser', { username });
    this.#change((names) => names.delete(username));
  }

  async #load(): Promise<void> {
    const changes = this.#changes;
    const accounts = await allBlocked(this.#client);
    if (changes === this.#changes) this.#set(new Set(accounts.map(({ username }) => username)));
    else await this.#load();
  }

  #change(change: (names: Set<string>) => unknown): void {
    this.#changes += 1;
    const names = new Set(this.#names);
    change(names);
    if (this.#names) this.#set(names);
    else void this.load().catch(() => undefined);
  }

  #set(names: Names): void {
    const before = this.#names;
    if (before && before.size === names.size && before.isSupersetOf(names)) return;
    this.#names = names;
    for (const listener of Array.from(this.#listeners)) listener();
  }
}
