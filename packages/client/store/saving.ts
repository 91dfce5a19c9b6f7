import type { Conversation, Message } from '@parley/protocol';
import type { Arrivals } from './arrivals.ts';
import type { Attention } from './attention.ts';
import type { Loader } from './loader.ts';
import type { ReadMarkers } from './read-markers.ts';
import { UNPLACED } from './message-table.ts';
import type { Refresher } from './refresher.ts';
import type { StoreState } from './state.ts';
import type { Chat, SavedStore, SavedTimeline, SaveLimits, StoredMessage } from './store.ts';
import { fullKey } from './timeline-id.ts';
import type { Window } from './windows.ts';

interface Parts {
  state: StoreState;
  arrivals: Arrivals;
  attention: Attention;
  markers: ReadMarkers;
  refresher: Refresher;
  loader: Loader;
}

/** Saves the state of a store, and restores it in another one. */
export class Saving {
  /** The store holds all that its client has received: false until it has loaded, and while it loads again. */
  isCurrent = false;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  save(limits: SaveLimits = {}): SavedStore | null {
    const { state, attention, markers, refresher } = this.#parts;
    const { client, chats, drafts, folders } = state;
    const { position, account } = client;
    if (!this.isCurrent || position === null || !account) return null;
    const { ids, pinned, hasMore } = chats.list.get();
    const most = limits.conversations ?? 300;
    const saved = [...new Set([...ids.slice(0, most), ...pinned])].flatMap((id) => chats.get(id) ?? []);
    const savedIds = new Set(saved.map(({ id }) => id));
    const { pending } = refresher;
    const isUncertain = (id: string): boolean => attention.isAhead(id) || markers.isAhead(id) || !this.#knowsLast(id);
    return {
      position,
      account,
      conversations: saved.map((chat) => this.#conversation(chat)),
      uncertain: {
        conversations: [...[...savedIds].filter(isUncertain), ...pending.conversations],
        messages: pending.messages,
      },
      hasMore: hasMore || ids.length > most,
      drafts: drafts.family.values().filter((draft) => savedIds.has(draft.chat_id)),
      folders: folders.get(''),
      privacy: state.privacy.cell.get(),
      readPositions: state.reads.save(savedIds),
      timelines: this.#timelines(savedIds, limits),
    };
  }

  restore({
    conversations,
    uncertain,
    hasMore,
    drafts,
    folders,
    privacy,
    readPositions = {},
    timelines,
  }: SavedStore): void {
    const { state, refresher, loader } = this.#parts;
    const { changes, chats } = state;
    this.isCurrent = true;
    changes.run(() => {
      loader.restored(hasMore);
      for (const conversation of conversations) loader.putChat(conversation);
      chats.setLoaded(hasMore);
      state.drafts.load(drafts, state.ticks.now);
      state.setFolders(folders);
      if (privacy) state.privacy.restore(privacy);
      state.reads.restore(readPositions);
      for (const timeline of timelines) this.#open(timeline);
      for (const id of uncertain.conversations) refresher.chat(id);
      for (const id of uncertain.messages) refresher.message(id);
    });
  }

  #conversation({ last_message_id: _key, ...chat }: Chat): Conversation {
    const last = this.#lastOf(chat.id);
    return { ...chat, last_message: last && !last.is_preview ? bare(last) : null };
  }

  #lastOf(chatId: string): StoredMessage | undefined {
    const { chats, messages } = this.#parts.state;
    const id = chats.facts(chatId)?.lastMessageId ?? null;
    return id === null ? undefined : messages.get(id);
  }

  /** A preview has no position, and no text of its own. */
  #knowsLast(chatId: string): boolean {
    const hasLast = (this.#parts.state.chats.facts(chatId)?.lastMessageId ?? null) !== null;
    const last = this.#lastOf(chatId);
    return !hasLast || (last !== undefined && !last.is_preview);
  }

  #timelines(chatIds: ReadonlySet<string>, limits: SaveLimits): SavedTimeline[] {
    const { windows, messages } = this.#parts.state;
    const { timelines: most = 100, messages: mostMessages = 50, characters = 4_000_000 } = limits;
    const isMeant = ({ key, isLoaded, hasNewer }: Window): boolean => isLoaded && !hasNewer && chatIds.has(key.chat_id);
    const newest = [...windows.all.values()].filter(isMeant).toSorted((a, b) => b.usedAt - a.usedAt);
    const saved: SavedTimeline[] = [];
    let left = characters;
    for (const { key, keys, hasOlder } of newest.slice(0, most)) {
      // The end of a window must be contiguous: a reply whose position is not known yet is fetched again instead.
      const all = keys.flatMap((one) => messages.get(one) ?? []);
      const placed = all.filter(({ position }) => position !== UNPLACED);
      if (placed.length === 0 && all.length > 0) continue;
      const end = placed.slice(-mostMessages);
      left -= end.reduce((sum, { content }) => sum + content.length, 0);
      if (left < 0) break;
      saved.push({ key, messages: end, hasOlder: hasOlder || placed.length > end.length });
    }
    return saved;
  }

  #open({ key, messages: saved, hasOlder }: SavedTimeline): void {
    const { state, arrivals } = this.#parts;
    const window = state.windows.open(fullKey(key));
    const stored = saved.map((message) =>
      message.is_preview ? state.messages.put(message, { is_preview: true }) : arrivals.fetched([bare(message)])[0],
    );
    window.keys = stored.flatMap((message) => message?.key ?? []);
    window.isLoaded = true;
    window.hasOlder = hasOlder;
    state.windows.publish(window);
  }
}

/** Without what a store adds to a Message. */
function bare({ key: _key, outbox: _outbox, is_preview: _preview, ...message }: StoredMessage): Message {
  return message;
}
