import type { Account, Conversation, EventParams } from '@parley/protocol';
import type { Clock } from '../environment.ts';
import { ValueCell } from '../value-cell.ts';
import { CellFamily } from './cell-family.ts';
import type { Changes } from './changes.ts';
import { isSame } from './same.ts';
import type { Chat, ChatList } from './store.ts';

/** What is known of a conversation beside what is shown. */
export interface ChatFacts {
  /** Its newest message, without pending ones. */
  lastMessageId: string | null;
  lastPosition: number;
  /** Up to here its messages were in `unread_count` when it was fetched. */
  countedPosition: number;
  countedId: string;
  /** When its counts were last told by the service. */
  toldAt: number;
}

/** What is told so shortly after a count may be in it already, or not: frames and answers overtake each other. */
const DOUBT_MS = 10_000;

/** Conversations by id, and their order. */
export class ChatTable {
  readonly family: CellFamily<Chat | undefined>;
  readonly list = new ValueCell<ChatList>({ ids: [], isLoaded: false, hasMore: false });
  readonly unreadTotal = new ValueCell(0);
  /** The newest pending message of each conversation. */
  pending: ReadonlyMap<string, string> = new Map();
  readonly #changes: Changes;
  readonly #clock: Clock;
  readonly #facts = new Map<string, ChatFacts>();
  /** How often something has happened there; a fetch that began before is not the latest. */
  readonly #versions = new Map<string, number>();
  #flags = { isLoaded: false, hasMore: false };
  #shown: ChatList;

  constructor(changes: Changes, clock: Clock) {
    this.#changes = changes;
    this.#clock = clock;
    this.family = new CellFamily(changes, () => undefined);
    this.#shown = this.list.get();
  }

  get(chatId: string): Chat | undefined {
    return this.family.get(chatId);
  }

  facts(chatId: string): ChatFacts | undefined {
    return this.#facts.get(chatId);
  }

  isJustTold(chatId: string): boolean {
    return this.#clock.now() - (this.#facts.get(chatId)?.toldAt ?? 0) < DOUBT_MS;
  }

  version(chatId: string): number {
    return this.#versions.get(chatId) ?? 0;
  }

  touch(chatId: string): void {
    this.#versions.set(chatId, this.version(chatId) + 1);
  }

  setLoaded(hasMore: boolean): void {
    this.#flags = { isLoaded: true, hasMore };
    this.#changes.later(this.#arrange);
  }

  /** As the service has answered it. */
  put(conversation: Conversation): void {
    const { last_message, ...chat } = conversation;
    this.#facts.set(chat.id, {
      lastMessageId: last_message?.id ?? null,
      lastPosition: last_message?.position ?? 0,
      countedPosition: last_message?.position ?? 0,
      countedId: last_message?.id ?? '',
      toldAt: this.#clock.now(),
    });
    this.#set({ ...chat, last_message_id: null });
  }

  change(chatId: string, change: (chat: Chat) => Chat): void {
    const chat = this.family.get(chatId);
    if (chat) this.#set(change(chat));
  }

  /** Its newest message is another one. */
  setLast(chatId: string, id: string | null, position: number): void {
    const facts = this.#facts.get(chatId);
    if (!facts) return;
    facts.lastMessageId = id;
    facts.lastPosition = position;
    this.change(chatId, (chat) => chat);
  }

  remove(chatId: string): void {
    this.#facts.delete(chatId);
    this.family.delete(chatId);
    this.#changes.later(this.#arrange);
  }

  /** Those that are not among them are gone. */
  keepOnly(ids: ReadonlySet<string>): string[] {
    const gone = this.family.keys().filter((id) => !ids.has(id));
    for (const id of gone) this.remove(id);
    return gone;
  }

  update({ conversation_id, channels, ...changes }: EventParams<'conversationUpdated'>): void {
    const facts = this.#facts.get(conversation_id);
    if (facts && changes.unread_count !== undefined) facts.toldAt = this.#clock.now();
    // What did not change is not in it.
    const known = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    this.change(conversation_id, (chat) => {
      const next: Chat = { ...chat, ...known };
      if (changes.muted_until === null) delete next.muted_until;
      if (!channels) return next;
      const before = new Map(chat.channels.map(({ id, unread_count }) => [id, unread_count]));
      next.channels = channels.map(({ id, title, unread_count = before.get(id) ?? 0 }) => ({
        id,
        title,
        unread_count,
      }));
      // A channel that is gone takes its count along.
      const gone = chat.channels.filter(({ id }) => !channels.some((channel) => channel.id === id));
      if (changes.unread_count === undefined)
        next.unread_count = Math.max(
          0,
          gone.reduce((sum, { unread_count }) => sum - unread_count, next.unread_count),
        );
      return next;
    });
  }

  /** One more unread, or one less. */
  count(chatId: string, channelId: string | null, by: 1 | -1): void {
    this.change(chatId, (chat) => ({
      ...chat,
      unread_count: Math.max(0, chat.unread_count + by),
      channels: chat.channels.map((channel) =>
        channel.id === channelId ? { ...channel, unread_count: Math.max(0, channel.unread_count + by) } : channel,
      ),
    }));
  }

  rename(account: Account): void {
    const { username, kind, display_name } = account;
    for (const id of this.family.keys())
      this.change(id, (chat) => {
        if (!chat.participants.some((one) => one.username === username)) return chat;
        const participants = chat.participants.map((one) =>
          one.username === username ? { ...one, kind, display_name } : one,
        );
        return { ...chat, participants };
      });
  }

  #set(chat: Chat): void {
    const before = this.family.get(chat.id);
    const last_message_id = this.pending.get(chat.id) ?? this.lastKey(chat.id);
    const next = { ...chat, last_message_id };
    if (before && isSame(before, next)) return;
    this.family.set(chat.id, next);
    this.#changes.later(this.#arrange);
  }

  /** The key of the newest message; set from outside, where keys are known. */
  lastKey: (chatId: string) => string | null = (chatId) => this.#facts.get(chatId)?.lastMessageId ?? null;

  /** The order of the list and the sum of what is unread. */
  readonly #arrange = (): void => {
    const chats = this.family.keys().flatMap((id) => this.family.get(id) ?? []);
    // Times of records are ISO 8601 of one form: they sort as text.
    chats.sort((a, b) => (a.updated_at === b.updated_at ? 0 : a.updated_at < b.updated_at ? 1 : -1));
    const before = this.#shown;
    const ids = chats.map(({ id }) => id);
    const isSameIds = ids.length === before.ids.length && ids.every((id, at) => id === before.ids[at]);
    const { isLoaded, hasMore } = this.#flags;
    if (!isSameIds || isLoaded !== before.isLoaded || hasMore !== before.hasMore)
      this.#shown = { ids: isSameIds ? before.ids : ids, isLoaded, hasMore };
    const unread = chats.reduce((sum, chat) => sum + (chat.is_muted ? 0 : chat.unread_count), 0);
    this.#changes.tell([this.#tellList, this.#tellUnread]);
    this.#unread = unread;
  };
  #unread = 0;
  readonly #tellList = (): void => this.list.set(this.#shown);
  readonly #tellUnread = (): void => this.unreadTotal.set(this.#unread);
}
