import type { Conversation } from '@parley/protocol';
import { ApiError } from '../api.ts';
import { ConnectionError } from '../requests.ts';
import type { Arrivals } from './arrivals.ts';
import type { Attention } from './attention.ts';
import type { ReadMarkers } from './read-markers.ts';
import type { Eviction } from './eviction.ts';
import type { Refresher } from './refresher.ts';
import type { StoreState } from './state.ts';
import type { Timelines } from './timelines.ts';
import type { WindowLoader } from './window-loader.ts';
import type { Window } from './windows.ts';

const CHATS_PAGE = 100;
const MAX_IDS = 100;
/** Maximum messages reloaded per window: one page of the service. */
const MAX_MESSAGES = 200;

interface Parts {
  state: StoreState;
  arrivals: Arrivals;
  attention: Attention;
  markers: ReadMarkers;
  refresher: Refresher;
  timelines: Timelines;
  windowLoader: WindowLoader;
  eviction: Eviction;
  maxChats: number;
}

/** Loads the initial data of a store, and all of it again if too many events were missed. */
export class Loader {
  readonly #parts: Parts;
  #hasMore = false;
  #chatsCursor: string | undefined;
  #loads = 0;
  #nextPage: Promise<void> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Resolves to the head of the log from before all fetches. */
  async load(): Promise<number> {
    const { state, eviction, refresher, maxChats } = this.#parts;
    const { client, changes, chats, journal, messages, ticks } = state;
    this.#loads += 1;
    const load = this.#loads;
    const isFirst = load === 1;
    /** A load of a connection that was lost meanwhile ends: its answers are older than those of the next one. */
    const check = (): void => {
      if (load !== this.#loads) throw new ConnectionError('replaced');
    };
    const begun = ticks.now;
    // What the account voted meanwhile is unknown.
    if (!isFirst) for (const id of messages.votes.keys()) messages.votes.delete(id);
    let head = 0;
    let cursor: string | undefined;
    const seen = new Set<string>();
    do {
      const since = ticks.now;
      const page = await client.call('getChats', { limit: CHATS_PAGE, cursor });
      check();
      if (cursor === undefined) {
        head = page.head;
        // What was requested before may lack events that are not delivered any more.
        journal.lose();
        journal.begin();
      }
      cursor = page.next_cursor;
      changes.run(() => {
        for (const conversation of page.items) {
          seen.add(conversation.id);
          this.takeChat(conversation, since);
        }
        chats.setLoaded(cursor !== undefined);
      });
    } while (cursor !== undefined && seen.size < maxChats);
    // Set before anything else: `loadMoreChats` can be called from here on.
    this.#chatsCursor = cursor;
    this.#hasMore = cursor !== undefined;
    // Pinned conversations are above all others, however old.
    if (cursor !== undefined) {
      const since = ticks.now;
      const { items: pinned } = await client.call('getChats', { limit: CHATS_PAGE, is_pinned: true });
      check();
      changes.run(() => {
        for (const conversation of pinned) {
          if (!seen.has(conversation.id)) this.takeChat(conversation, since);
          seen.add(conversation.id);
        }
      });
    }
    const since = ticks.now;
    const [{ items: drafts }, { items: folders }] = await Promise.all([
      client.call('getDrafts', { timelines: true }),
      client.call('getFolders'),
    ]);
    check();
    if (!isFirst) await this.#loadShown();
    check();
    changes.run(() => {
      for (const id of chats.family.keys())
        if (!seen.has(id)) {
          // A conversation that was put during the load may be newer than the answers; others were beyond the pages.
          if (cursor === undefined && !ticks.isChanged(id, begun)) state.removeChat(id);
          else refresher.chat(id);
        }
      state.drafts.load(drafts, since);
      state.setFolders(ticks.isChanged('folders', since) ? state.folders.get('') : folders);
      state.scheduled.changed();
      if (!isFirst) eviction.sweepAll();
    });
    return head;
  }

  /** The store holds what an earlier one has saved: nothing is loaded until too many events were missed. */
  restored(hasMore: boolean): void {
    this.#loads += 1;
    this.#hasMore = hasMore;
    this.#parts.state.journal.begin();
  }

  putChat(conversation: Conversation): void {
    const { state, arrivals, attention, markers, timelines } = this.#parts;
    const { last_message } = conversation;
    if (last_message) arrivals.fetched([last_message]);
    if (state.chats.put(conversation)) timelines.retry(conversation.id);
    attention.discount(conversation.id, last_message?.position ?? 0);
    markers.show(conversation.id);
    state.dropMembers(conversation.id);
  }

  /**
   * Stores a conversation from an answer. If it has changed here since the request was made, the answer may lack that, so
   * it is fetched again.
   */
  takeChat(conversation: Conversation, since: number): void {
    const { state, refresher } = this.#parts;
    const { id } = conversation;
    const isChanged = state.ticks.isChanged(id, since);
    if (!isChanged || !state.chats.get(id)) this.putChat(conversation);
    if (isChanged) refresher.chat(id);
  }

  /** Loads the next page. Callers at the same time share the request. */
  loadMoreChats(): Promise<void> {
    this.#nextPage ??= this.#loadNextPage().finally(() => {
      this.#nextPage = null;
    });
    return this.#nextPage;
  }

  /** A store that was restored knows the first pages: it goes on to one with conversations that are new. */
  async #loadNextPage(): Promise<void> {
    const { client, changes, chats, ticks } = this.#parts.state;
    let hasNew = false;
    while (this.#hasMore && !hasNew) {
      const since = ticks.now;
      const page = await client.call('getChats', { limit: CHATS_PAGE, cursor: this.#chatsCursor });
      this.#chatsCursor = page.next_cursor;
      this.#hasMore = page.next_cursor !== undefined;
      const unknown = page.items.filter(({ id }) => !chats.get(id));
      hasNew = unknown.length > 0;
      changes.run(() => {
        for (const conversation of unknown) this.takeChat(conversation, since);
        chats.setLoaded(this.#hasMore);
      });
    }
  }

  /** Fetches messages by id; removes those that are no longer visible. */
  async fetchMessages(ids: readonly string[]): Promise<void> {
    const { client, journal, windows } = this.#parts.state;
    for (let from = 0; from < ids.length; from += MAX_IDS) {
      let left = ids.slice(from, from + MAX_IDS);
      while (left.length > 0)
        await journal.fetch(
          async () => client.call('getMessages', { message_ids: [...left] }),
          ({ items, more }) => {
            const last = items.at(-1);
            // A truncated page has `more`: request the ids after its last message again (HIST-10).
            const answered = more && last ? left.slice(0, left.indexOf(last.id) + 1) : left;
            left = left.slice(answered.length);
            const found = new Set(items.map(({ id }) => id));
            for (const message of this.#parts.arrivals.fetched(items)) windows.place(message);
            this.#parts.arrivals.hide(answered.filter((id) => !found.has(id)));
          },
        );
    }
  }

  /** Reloads everything that is currently shown. */
  async #loadShown(): Promise<void> {
    const { windows, messages } = this.#parts.state;
    await Promise.all([...windows.all.values()].map((window) => this.#loadWindow(window)));
    const shown = new Set([...windows.all.values()].flatMap(({ keys }) => keys));
    const others = messages.family.observed().flatMap((key) => {
      const message = messages.get(key);
      return message && !message.outbox && !shown.has(key) ? [message.id] : [];
    });
    await this.fetchMessages(others);
  }

  async #loadWindow(window: Window): Promise<void> {
    const { windows } = this.#parts.state;
    if (!windows.isUsed(window)) return windows.close((key) => key === window.key);
    const { windowLoader } = this.#parts;
    const limit = Math.min(MAX_MESSAGES, Math.max(windowLoader.pageSize, window.keys.length));
    const middle = window.keys[Math.floor(window.keys.length / 2)];
    if (window.hasNewer && middle !== undefined) await windowLoader.reloadAround(window, middle, limit);
    else await windowLoader.reloadNewest(window, limit);
    const { error } = window;
    if (error instanceof ApiError && (error.status === 403 || error.status === 404))
      return windows.close((key) => key === window.key);
    // If a part is missing, following the log from here would leave a gap.
    if (error) throw error;
    return undefined;
  }
}
