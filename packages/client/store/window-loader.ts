import type { Message, MessagesPage } from '@parley/protocol';
import { ApiError } from '../api.ts';
import type { Client } from '../client.ts';
import type { Journal } from './journal.ts';
import { type MessageTable, UNPLACED } from './message-table.ts';
import type { StoredMessage } from './store.ts';
import { placeOf } from './timeline-id.ts';
import type { Window, Windows } from './windows.ts';

/** A page with fewer messages than requested is the last one, unless it was cut at its maximum of 1 MiB. */
const PAGE_CHARACTERS = 150_000;

type From = { cursor?: string | undefined; around?: string; after?: string };
type Take = (page: MessagesPage, stored: StoredMessage[]) => void;

interface Fetch {
  version: number;
  from: From;
  take: Take;
  limit: number;
}

interface Parts {
  client: Client;
  windows: Windows;
  journal: Journal;
  pageSize: number;
  /** Stores fetched messages in the table. */
  put: (messages: readonly Message[]) => StoredMessage[];
  /** Removes messages that the caller cannot see any more. */
  hide: (ids: readonly string[]) => void;
  messages: MessageTable;
  /** Called after a load, to evict messages. */
  onLoaded: () => void;
}

/** Loads pages into windows. */
export class WindowLoader {
  readonly #parts: Parts;
  readonly #loads = new Map<Window, Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get pageSize(): number {
    return this.#parts.pageSize;
  }

  loadOlder(window: Window): Promise<void> {
    if (!window.isLoaded || !window.hasOlder) return this.#loads.get(window) ?? Promise.resolve();
    const [oldest] = window.keys;
    // A window with its beginning cut off has no cursor: load around its oldest message; the overlap is merged.
    const from =
      window.cursor === undefined && oldest !== undefined
        ? { around: this.#parts.messages.idOf(oldest) }
        : { cursor: window.cursor };
    return this.#load(window, 'older', from, (page, stored) => {
      this.#join(window, stored);
      window.cursor = page.next_cursor;
      window.hasOlder = page.next_cursor !== undefined;
      window.isAtTop = true;
    });
  }

  loadNewer(window: Window): Promise<void> {
    const newest = window.keys.at(-1);
    if (!window.isLoaded || !window.hasNewer) return this.#loads.get(window) ?? Promise.resolve();
    if (newest === undefined) return this.loadNewest(window);
    return this.#load(window, 'newer', { after: this.#parts.messages.idOf(newest) }, (page, stored) => {
      this.#join(window, stored);
      window.hasNewer = !this.#isEnd(page.items, this.#parts.pageSize);
      window.isAtTop = false;
    });
  }

  loadNewest(window: Window): Promise<void> {
    if (window.loading === 'window') return this.#loads.get(window) ?? Promise.resolve();
    return this.reloadNewest(window, this.#parts.pageSize);
  }

  /** Loads even if another load is in progress, whose result may be outdated. */
  reloadNewest(window: Window, limit: number): Promise<void> {
    const take: Take = (page, stored) => {
      window.keys = keysOf(stored);
      window.cursor = page.next_cursor;
      window.hasOlder = page.next_cursor !== undefined;
      window.hasNewer = false;
      window.target = null;
      window.isAtTop = false;
    };
    return this.#load(window, 'window', {}, take, limit);
  }

  /** Resolves to whether the place was found. */
  async loadAround(window: Window, place: string | Date): Promise<boolean> {
    await this.reloadAround(window, place, this.#parts.pageSize);
    const { error, target } = window;
    if (!error)
      return (
        typeof place !== 'string' ||
        (target !== null && this.#parts.messages.idOf(target) === this.#parts.messages.idOf(place))
      );
    if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 400)) return false;
    // A missing message or an invalid id must not mark the window as failed.
    window.error = null;
    this.#parts.windows.publish(window);
    if (!window.isLoaded) await this.loadNewest(window);
    return false;
  }

  reloadAround(window: Window, place: string | Date, limit: number): Promise<void> {
    const around = typeof place === 'string' ? this.#parts.messages.idOf(place) : place.toISOString();
    const isThere = ({ id }: StoredMessage): boolean => id === around;
    // Ids grow with time: messages that followed a deleted one have greater ids.
    const isBehind = ({ id, created_at }: StoredMessage): boolean =>
      typeof place === 'string' ? id > around : Date.parse(created_at) >= place.getTime();
    const take: Take = (page, stored) => {
      window.keys = keysOf(stored);
      window.cursor = page.next_cursor;
      window.hasOlder = page.next_cursor !== undefined;
      window.hasNewer = !this.#isEnd(page.items, limit);
      window.isAtTop = false;
      const target = stored.find((message) => isThere(message)) ?? stored.find((message) => isBehind(message));
      window.target = target?.key ?? stored.at(-1)?.key ?? null;
    };
    return this.#load(window, 'window', { around }, take, limit);
  }

  #load(
    window: Window,
    loading: 'older' | 'newer' | 'window',
    from: From,
    take: Take,
    limit = this.pageSize,
  ): Promise<void> {
    const running = this.#loads.get(window);
    // Loading a page joins a load in progress; loading a new window replaces it.
    if (running && loading !== 'window') return running;
    window.version += 1;
    const { version } = window;
    window.loading = loading;
    window.error = null;
    this.#parts.windows.publish(window);
    const load: Promise<void> = this.#fetch(window, { version, from, take, limit }).then((isReplaced) => {
      const newest = this.#loads.get(window);
      if (newest === load) this.#loads.delete(window);
      // A load that another one has replaced ends with that one.
      return isReplaced && newest !== load ? newest : undefined;
    });
    this.#loads.set(window, load);
    return load;
  }

  /** Resolves to whether another load has replaced this one, or the window was closed. */
  async #fetch(window: Window, { version, from, take, limit }: Fetch): Promise<boolean> {
    const { client, windows, journal } = this.#parts;
    const isReplaced = (): boolean => window.version !== version;
    let isTaken = false;
    try {
      await journal.fetch(
        async () => client.call('getChatHistory', { ...placeOf(window.key), limit, ...from }),
        (page) => {
          if (isReplaced()) return;
          isTaken = true;
          take(page, this.#parts.put(page.items));
          if (isNewest(from)) this.#parts.hide(hiddenVersions(page.items));
          window.isLoaded = true;
          this.#ended(window);
          windows.publish(window);
          this.#parts.onLoaded();
        },
      );
      return !isTaken;
    } catch (error) {
      if (isReplaced()) return true;
      this.#ended(window);
      window.error = error instanceof Error ? error : new Error(String(error));
      windows.publish(window);
      return false;
    }
  }

  /** Called before subscribers are notified: a subscriber that requests the next page must start a load of its own. */
  #ended(window: Window): void {
    window.loading = null;
    this.#loads.delete(window);
  }

  /** Inserts messages that are not in the window yet, by position. */
  #join(window: Window, stored: readonly StoredMessage[]): void {
    const all = new Set([...window.keys, ...keysOf(stored)]);
    const positionOf = (key: string): number => this.#parts.messages.get(key)?.position ?? UNPLACED;
    window.keys = [...all].toSorted((a, b) => positionOf(a) - positionOf(b));
  }

  #isEnd(items: readonly Message[], limit: number): boolean {
    const characters = items.reduce((sum, message) => sum + message.content.length, 0);
    return items.length < limit && characters < PAGE_CHARACTERS;
  }
}

const isNewest = ({ cursor, around, after }: From): boolean => cursor === undefined && !around && !after;

/**
 * The versions of replies that a page up to the newest message leaves out: hidden from the caller, though a restored store
 * may still have them.
 */
function hiddenVersions(items: readonly Message[]): string[] {
  const seen = new Set(items.map(({ id }) => id));
  return items.flatMap(({ id, versions }) =>
    versions ? versions.ids.slice(versions.ids.indexOf(id) + 1).filter((newer) => !seen.has(newer)) : [],
  );
}

const keysOf = (stored: readonly StoredMessage[]): string[] => stored.map(({ key }) => key);
