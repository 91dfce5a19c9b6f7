import type { CustomEmoji } from '@parley/protocol';
import type { Cell } from '../cell.ts';
import type { Client } from '../client.ts';
import type { Clock, Timer } from '../environment.ts';
import { CellFamily } from './cell-family.ts';
import type { Changes } from './changes.ts';
import type { Ticks } from './ticks.ts';

const PAGE = 200;
/** How old the list may be when an emoji is shown: a name in it may have been deleted. */
const KNOWN_MS = 600_000;
/** How old it may be when a name is shown that is not in it: it may have been made since. */
const UNKNOWN_MS = 60_000;
/** Maximum names that were not found that are kept. */
const MAX_KEPT = 2_000;
const noEmoji: readonly CustomEmoji[] = [];

/** The custom emoji of the instance: loaded in pages when the first one is shown, and kept (EMOJI-6). */
export class EmojiBox {
  readonly list: Cell<readonly CustomEmoji[]>;
  /** The whole list, under the empty key. */
  readonly #lists: CellFamily<readonly CustomEmoji[]>;
  readonly #family: CellFamily<CustomEmoji | undefined>;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #ticks: Ticks;
  readonly #changes: Changes;
  /** Names that were shown before the list was loaded last, and are not in it. */
  readonly #notFound = new Set<string>();
  #loadedAt = Number.NEGATIVE_INFINITY;
  #isBusy = false;
  #isClosed = false;
  #timer: Timer | null = null;

  constructor(changes: Changes, client: Client, clock: Clock, ticks: Ticks) {
    this.#lists = new CellFamily(
      changes,
      () => noEmoji,
      () => this.#want(UNKNOWN_MS),
    );
    this.#family = new CellFamily<CustomEmoji | undefined>(
      changes,
      () => undefined,
      (name) => {
        if (this.#isNew(name)) this.#want(UNKNOWN_MS, 'later too');
        else this.#want(KNOWN_MS);
      },
    );
    this.#client = client;
    this.#clock = clock;
    this.#ticks = ticks;
    this.#changes = changes;
    this.list = this.#lists.cell('');
  }

  cell(name: string): Cell<CustomEmoji | undefined> {
    return this.#family.cell(name);
  }

  /** Stores an emoji that the user has just made. */
  put(emoji: CustomEmoji): void {
    this.#ticks.touch('emoji');
    this.#setList([...this.#lists.get('').filter(({ name }) => name !== emoji.name), emoji]);
  }

  /** Removes an emoji that the user has just deleted. */
  remove(name: string): void {
    this.#ticks.touch('emoji');
    this.#setList(this.#lists.get('').filter((emoji) => emoji.name !== name));
  }

  /** Loads the list again if something that is shown may be newer. To be called once the client is live. */
  retry(): void {
    if (this.#lists.isObserved('') || this.#family.observed().length > 0) this.#want(UNKNOWN_MS);
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  #isNew(name: string): boolean {
    return !this.#family.has(name) && !this.#notFound.has(name);
  }

  /** Loads the list if it is older than this; `later too`: otherwise as soon as it is. */
  #want(mostAgeMs: number, when?: 'later too'): void {
    if (this.#isBusy || this.#isClosed || this.#client.state !== 'live') return;
    const delayMs = this.#loadedAt + mostAgeMs - this.#clock.monotonic();
    if (delayMs <= 0) void this.#load();
    else if (when)
      this.#timer ??= this.#clock.setTimer(() => {
        this.#timer = null;
        this.#want(mostAgeMs);
      }, delayMs);
  }

  async #load(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = null;
    this.#isBusy = true;
    // A load that fails counts too: the next one waits as long.
    this.#loadedAt = this.#clock.monotonic();
    const shown = this.#family.observed();
    try {
      let items: CustomEmoji[];
      let since: number;
      do {
        since = this.#ticks.now;
        items = await this.#fetchAll();
        // The pages may be older than an emoji that the user has made or deleted meanwhile.
      } while (this.#ticks.isChanged('emoji', since));
      if (this.#notFound.size >= MAX_KEPT) this.#notFound.clear();
      for (const name of shown) this.#notFound.add(name);
      this.#changes.run(() => this.#setList(items));
    } catch {
      // Loaded again when the next emoji is shown, or once the client is live again.
      if (this.#client.state !== 'live') this.#loadedAt = Number.NEGATIVE_INFINITY;
    } finally {
      this.#isBusy = false;
      // Names that came into view meanwhile.
      if (this.#family.observed().some((name) => this.#isNew(name))) this.#want(UNKNOWN_MS, 'later too');
    }
  }

  async #fetchAll(): Promise<CustomEmoji[]> {
    const items: CustomEmoji[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.#client.call('getEmoji', { limit: PAGE, cursor });
      items.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    return items;
  }

  #setList(items: readonly CustomEmoji[]): void {
    const sorted = items.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const names = new Set(items.map(({ name }) => name));
    for (const name of this.#family.keys()) if (!names.has(name)) this.#family.delete(name);
    for (const emoji of items) {
      this.#notFound.delete(emoji.name);
      this.#family.set(emoji.name, emoji);
    }
    this.#lists.set('', sorted);
  }
}
