import type { Presence, Status } from '@parley/protocol';
import type { Cell } from '../cell.ts';
import type { Client } from '../client.ts';
import type { Clock, Timer } from '../environment.ts';
import { CellFamily } from './cell-family.ts';
import type { Changes } from './changes.ts';
import type { Ticks } from './ticks.ts';

/** Delay before asking about accounts that have just come into view, so that one call asks about all of them. */
const GATHER_MS = 150;
/** How often the service is asked again: events may be lost, and a block or a setting may have changed. */
const REPEAT_MS = 60_000;
/** Maximum accounts that are asked about; those that came into view last. */
const MAX_SHOWN = 100;
/** Maximum delay of a timer in browsers; after it, the rest is waited for. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Who of the accounts in view is online, and their statuses, by username. Undefined: not known, or not to be known. */
export class PresenceBox {
  readonly #family: CellFamily<Presence | undefined>;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #ticks: Ticks;
  readonly #changes: Changes;
  #asked: ReadonlySet<string> = new Set();
  #timer: Timer | null = null;
  #endTimer: Timer | null = null;
  #isBusy = false;
  #isClosed = false;

  constructor(changes: Changes, client: Client, clock: Clock, ticks: Ticks) {
    this.#family = new CellFamily<Presence | undefined>(
      changes,
      () => undefined,
      (username) => {
        if (!this.#asked.has(username)) this.#schedule(GATHER_MS);
      },
    );
    this.#client = client;
    this.#clock = clock;
    this.#ticks = ticks;
    this.#changes = changes;
  }

  cell(username: string): Cell<Presence | undefined> {
    return this.#family.cell(username);
  }

  receive(presence: Presence): void {
    // An event about an account that is no longer in view is late.
    if (this.#asked.has(presence.username)) this.#receive(presence);
  }

  /** Shows a status that the user has just set on this device, before the event about it arrives. */
  restate(username: string, status: Status): void {
    const custom_status = status.emoji === undefined && status.text === undefined ? undefined : status;
    if (this.#asked.has(username)) this.#receive({ ...this.#family.get(username), username, custom_status });
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
    this.#endTimer?.cancel();
    this.#endTimer = null;
    this.#asked = new Set();
    for (const username of this.#family.keys()) this.#family.delete(username);
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#endTimer?.cancel();
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
    const usernames = this.#family.observed().slice(-MAX_SHOWN);
    // The empty list ends the events about those that the service was asked about before (PRESENCE-4).
    if (usernames.length === 0 && this.#asked.size === 0) return;
    const former = this.#asked;
    this.#asked = new Set(usernames);
    this.#isBusy = true;
    const since = this.#ticks.now;
    try {
      const { items } = await this.#client.call('getPresence', { usernames });
      if (this.#client.state === 'live') this.#changes.run(() => this.#replace(items, since));
    } catch {
      // Asked again with the next repeat; so is the empty list, because the events go on.
      if (usernames.length === 0 && this.#client.state === 'live') this.#asked = former;
    } finally {
      this.#isBusy = false;
      const isNew = this.#family.observed().some((username) => !this.#asked.has(username));
      // More than the maximum in view do not make it ask without end.
      this.#schedule(isNew && usernames.length < MAX_SHOWN ? GATHER_MS : REPEAT_MS);
    }
  }

  #receive(presence: Presence): void {
    this.#ticks.touch(`presence ${presence.username}`);
    this.#show([presence]);
  }

  /** What arrived after the request was made, at the tick `since`, is newer than its answer. */
  #replace(items: readonly Presence[], since: number): void {
    const isOlder = (username: string): boolean => !this.#ticks.isChanged(`presence ${username}`, since);
    const known = new Set(items.map(({ username }) => username));
    for (const username of this.#family.keys())
      if (!known.has(username) && isOlder(username)) this.#family.delete(username);
    this.#show(items.filter(({ username }) => isOlder(username)));
  }

  #show(items: readonly Presence[]): void {
    const now = this.#clock.now();
    for (const item of items) this.#family.set(item.username, withoutEnded(item, now));
    this.#awaitEnd(now);
  }

  /** Hides the next status that ends at its end (STATUS-4). */
  #awaitEnd(now: number): void {
    this.#endTimer?.cancel();
    const shown = this.#family.values();
    const end = Math.min(...shown.map(endOf));
    if (end === Number.POSITIVE_INFINITY) return;
    const hide = () => this.#changes.run(() => this.#show(shown));
    this.#endTimer = this.#clock.setTimer(hide, Math.min(end - now, MAX_TIMER_MS));
  }
}

const endOf = ({ custom_status: status }: Presence): number =>
  status?.until === undefined ? Number.POSITIVE_INFINITY : Date.parse(status.until);

function withoutEnded(presence: Presence, now: number): Presence {
  if (endOf(presence) > now) return presence;
  const { custom_status: _, ...rest } = presence;
  return rest;
}
