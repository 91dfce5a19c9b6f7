import type { Presence } from '@parley/protocol';
import type { Cell } from '../cell.ts';
import type { Client } from '../client.ts';
import type { Clock, Timer } from '../environment.ts';
import { CellFamily } from './cell-family.ts';
import type { Changes } from './changes.ts';

/** Delay before asking about accounts that have just come into view, so that one call asks about all of them. */
const GATHER_MS = 150;
/** How often the service is asked again: events may be lost, and a block or a setting may have changed. */
const REPEAT_MS = 60_000;
/** Maximum accounts that are asked about; those that came into view last. */
const MOST_SHOWN = 100;
/** Maximum cells kept. */
const MOST_CELLS = 2_000;

/** Who of the accounts in view is online, by username. Undefined: not known, or not to be known. */
export class PresenceBox {
  readonly #family: CellFamily<Presence | undefined>;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #changes: Changes;
  readonly #cells = new Map<string, Cell<Presence | undefined>>();
  #asked: ReadonlySet<string> = new Set();
  #timer: Timer | null = null;
  #isBusy = false;
  #isClosed = false;

  constructor(changes: Changes, client: Client, clock: Clock) {
    this.#family = new CellFamily<Presence | undefined>(changes, () => undefined);
    this.#client = client;
    this.#clock = clock;
    this.#changes = changes;
  }

  /** Returns the same cell for the same username, up to a number of them. */
  cell(username: string): Cell<Presence | undefined> {
    const known = this.#cells.get(username);
    if (known) return known;
    if (this.#cells.size >= MOST_CELLS) this.#cells.clear();
    const cell: Cell<Presence | undefined> = {
      get: () => this.#family.get(username),
      subscribe: (listener) => {
        const end = this.#family.subscribe(username, listener);
        if (!this.#asked.has(username)) this.#schedule(GATHER_MS);
        return end;
      },
    };
    this.#cells.set(username, cell);
    return cell;
  }

  receive(presence: Presence): void {
    // An event about an account that is no longer in view is late.
    if (this.#asked.has(presence.username)) this.#family.set(presence.username, presence);
  }

  /** The connection is live: events arrive from here on. */
  resume(): void {
    this.#asked = new Set();
    this.#schedule(0);
  }

  /** Without a connection nothing is known. */
  forget(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#asked = new Set();
    for (const username of this.#family.keys()) this.#family.delete(username);
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  #schedule(delayMs: number): void {
    if (this.#isBusy || this.#isClosed || this.#client.state !== 'live') return;
    this.#timer?.cancel();
    this.#timer = this.#clock.setTimer(() => {
      this.#timer = null;
      void this.#ask();
    }, delayMs);
  }

  async #ask(): Promise<void> {
    const usernames = this.#family.observed().slice(-MOST_SHOWN);
    this.#asked = new Set(usernames);
    if (usernames.length === 0) return;
    this.#isBusy = true;
    try {
      const { items } = await this.#client.call('getPresence', { usernames });
      if (this.#client.state === 'live') this.#changes.run(() => this.#show(items));
    } catch {
      // Asked again with the next repeat.
    } finally {
      this.#isBusy = false;
      const isNew = this.#family.observed().some((username) => !this.#asked.has(username));
      // More than the maximum in view do not make it ask without end.
      this.#schedule(isNew && usernames.length < MOST_SHOWN ? GATHER_MS : REPEAT_MS);
    }
  }

  #show(items: readonly Presence[]): void {
    const known = new Map(items.map((item) => [item.username, item]));
    for (const username of this.#family.keys()) if (!known.has(username)) this.#family.delete(username);
    for (const [username, item] of known) {
      const before = this.#family.get(username);
      if (before?.status !== item.status || before.last_seen_at !== item.last_seen_at) this.#family.set(username, item);
    }
  }
}
