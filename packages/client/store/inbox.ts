import type { InboxItem, Result } from '@parley/protocol';
import { ApiError } from '../api.ts';
import type { Cell } from '../cell.ts';
import type { Client } from '../client.ts';
import type { Clock, Timer } from '../environment.ts';
import { CellFamily } from './cell-family.ts';
import type { Changes } from './changes.ts';

/** Minimum time between two loads, so that many changes at once cost one call. */
const GAP_MS = 1_000;
/** Delay before a failed load is retried. */
const RETRY_MS = 5_000;

/** What the caller is to look at. */
export interface Inbox {
  /** Newest first. */
  readonly items: readonly InboxItem[];
  /** Unread items, those that are not loaded included. */
  readonly unreadCount: number;
  readonly isLoaded: boolean;
  /** `loadMoreInbox` loads more. */
  readonly hasMore: boolean;
}

const empty: Inbox = { items: [], unreadCount: 0, isLoaded: false, hasMore: false };

/**
 * The inbox of the account. The service decides what is in it, so it is loaded again after an event that may have
 * changed it. It is loaded only while it has subscribers.
 */
export class InboxBox {
  readonly cell: Cell<Inbox>;
  readonly #family: CellFamily<Inbox>;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #changes: Changes;
  #cursor: string | undefined;
  #isStale = true;
  #isBusy = false;
  #isClosed = false;
  #timer: Timer | null = null;
  #earliest = 0;

  constructor(changes: Changes, client: Client, clock: Clock) {
    this.#family = new CellFamily(
      changes,
      () => empty,
      () => this.schedule(),
    );
    this.#changes = changes;
    this.#client = client;
    this.#clock = clock;
    this.cell = this.#family.cell('');
  }

  /** Requests another load. */
  invalidate(): void {
    this.#isStale = true;
    this.schedule();
  }

  /** Starts a load that is due, if the inbox has subscribers and the client is live. */
  schedule(): void {
    if (!this.#isStale || this.#isBusy || this.#timer || this.#isClosed) return;
    if (this.#client.state !== 'live' || !this.#family.isObserved('')) return;
    const delayMs = Math.max(0, this.#earliest - this.#clock.monotonic());
    this.#timer = this.#clock.setTimer(() => {
      this.#timer = null;
      void this.#load();
    }, delayMs);
  }

  /**
   * Changes the loaded items; null removes one. Items that are not loaded may have changed too, and are then loaded
   * again.
   */
  update(change: (item: InboxItem) => InboxItem | null): void {
    const { items, unreadCount, hasMore, ...rest } = this.cell.get();
    if (hasMore) this.invalidate();
    const changed = items.flatMap((item) => change(item) ?? []);
    if (changed.length === items.length && changed.every((item, at) => item === items[at])) return;
    const fewer = countUnread(items) - countUnread(changed);
    this.#family.set('', { ...rest, items: changed, unreadCount: Math.max(0, unreadCount - fewer), hasMore });
  }

  async loadMore(): Promise<void> {
    if (this.#cursor === undefined || this.#isBusy) return;
    await this.#occupied(async () => {
      const page = await this.#client.call('getInbox', { cursor: this.#cursor });
      const { items } = this.cell.get();
      this.#show([...items, ...page.items], page);
    });
  }

  /** Marks items as done. They disappear at once, and return if the service refuses. */
  setDone(ids: readonly string[]): Promise<void> {
    const done = new Set(ids);
    this.#changes.run(() => this.update((item) => (done.has(item.message_id) ? null : item)));
    return this.#send({ message_ids: [...ids] });
  }

  /** Marks everything up to the newest loaded item as done: an item that arrives meanwhile stays. */
  async setAllDone(): Promise<void> {
    const [newest] = this.cell.get().items;
    if (!newest) return;
    this.#changes.run(() => this.#family.set('', { ...empty, isLoaded: true }));
    await this.#send({ through_position: newest.position });
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  async #send(what: { message_ids: string[] } | { through_position: number }): Promise<void> {
    try {
      await this.#client.call('setInboxDone', what);
    } finally {
      this.invalidate();
    }
  }

  async #load(): Promise<void> {
    await this.#occupied(async () => {
      this.#isStale = false;
      const wanted = this.cell.get().items.length;
      const items: InboxItem[] = [];
      let page: Result<'getInbox'> | undefined;
      do {
        page = await this.#client.call('getInbox', { cursor: page?.next_cursor });
        items.push(...page.items);
      } while (page.next_cursor !== undefined && items.length < wanted);
      this.#show(items, page);
    }).catch((error: unknown) => {
      // An agent has no inbox.
      if (error instanceof ApiError && error.status === 403) return;
      this.#earliest = this.#clock.monotonic() + RETRY_MS;
      this.invalidate();
    });
  }

  async #occupied(work: () => Promise<void>): Promise<void> {
    this.#isBusy = true;
    this.#earliest = this.#clock.monotonic() + GAP_MS;
    try {
      await work();
    } finally {
      this.#isBusy = false;
      this.schedule();
    }
  }

  #show(items: readonly InboxItem[], page: { unread_count: number; next_cursor?: string | undefined }): void {
    this.#cursor = page.next_cursor;
    const { unread_count: unreadCount } = page;
    this.#changes.run(() =>
      this.#family.set('', { items, unreadCount, isLoaded: true, hasMore: page.next_cursor !== undefined }),
    );
  }
}

const countUnread = (items: readonly InboxItem[]): number => items.filter(({ is_unread }) => is_unread).length;
