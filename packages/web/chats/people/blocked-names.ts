import type { Cell, Client } from '@parley/client';
import { allBlocked } from './blocked-people.ts';

type Names = ReadonlySet<string>;

/** The user's blocked names. No event announces changes (BLOCK-2), so `load` requests them. */
export class BlockedNames implements Cell<Names | null> {
  readonly #client: Client;
  readonly #listeners = new Set<() => void>();
  #names: Names | null = null;
  #loading: Promise<void> | null = null;
  /** Counts local changes: an answer to a request from before a change is stale. */
  #changes = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** null until loaded. */
  readonly get = (): Names | null => this.#names;

  readonly subscribe = (listener: () => void): (() => void) => {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  };

  /** Requests the list again even if it is known: another device may have changed it. */
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
