import type { Account, Conversation, EventParams, Folder } from '@parley/protocol';
import type { Clock } from '../environment.ts';
import { ValueCell } from '../value-cell.ts';
import { CellFamily } from './cell-family.ts';
import type { Changes } from './changes.ts';
import { isInFolder, isUnread } from './in-folder.ts';
import { keepingSame } from './same.ts';
import type { Chat, ChatList } from './store.ts';
import type { Ticks } from './ticks.ts';

/** Internal facts about a conversation. */
interface ChatFacts {
  /** The id of its newest message, not counting pending ones. */
  lastMessageId: string | null;
  lastPosition: number;
  /** Messages up to this position were included in the fetched `unread_count`. */
  countedPosition: number;
  countedId: string;
  /** When the service last sent counts. */
  countedAt: number;
}

/** How the store names what a conversation refers to. */
interface ChatNames {
  /** The account's username; an empty text until it is known. */
  me: () => string;
  /** The key of a message, which may be another than its id. */
  keyOf: (messageId: string) => string;
}

/** How long after a count a message may or may not be included in it: frames and answers can overtake each other. */
const DOUBT_MS = 10_000;

const noChats: ChatList = {
  ids: [],
  pinned: [],
  archived: [],
  unread: [],
  byFolder: {},
  unreadByFolder: {},
  isLoaded: false,
  hasMore: false,
};

type Change = EventParams<'conversationUpdated'>;
type Removable = keyof { [Field in keyof Chat & keyof Change as undefined extends Chat[Field] ? Field : never]: true };
/** The fields that a Chat may lack. In an event, null or false says that it lacks them now. */
const removable = {
  muted_until: true,
  pin_order: true,
  archived_position: true,
  is_marked_unread: true,
  folder_id: true,
  cleared_position: true,
} satisfies Record<Removable, true>;
const removableFields = Object.keys(removable) as Removable[]; // keys of a constant

/** Conversations by id, and their order. */
export class ChatTable {
  readonly family: CellFamily<Chat | undefined>;
  readonly list = new ValueCell<ChatList>(noChats);
  readonly unreadTotal = new ValueCell(0);
  readonly needsTotal = new ValueCell(0);
  /** The newest pending message of each conversation. */
  pending: ReadonlyMap<string, string> = new Map();
  readonly #changes: Changes;
  readonly #clock: Clock;
  readonly #ticks: Ticks;
  readonly #facts = new Map<string, ChatFacts>();
  #flags = { isLoaded: false, hasMore: false };
  #folders: readonly Folder[] = [];
  /** The places of the folders that show a conversation. A Chat that changes is another object. */
  #foldersOf = new WeakMap<Chat, readonly number[]>();
  #shown: ChatList;
  readonly #names: ChatNames;

  constructor(changes: Changes, clock: Clock, ticks: Ticks, names: ChatNames) {
    this.#changes = changes;
    this.#clock = clock;
    this.#ticks = ticks;
    this.#names = names;
    this.family = new CellFamily<Chat | undefined>(changes, () => undefined);
    this.#shown = this.list.get();
  }

  get(chatId: string): Chat | undefined {
    return this.family.get(chatId);
  }

  facts(chatId: string): ChatFacts | undefined {
    return this.#facts.get(chatId);
  }

  isJustCounted(chatId: string): boolean {
    return this.#clock.monotonic() - (this.#facts.get(chatId)?.countedAt ?? -Infinity) < DOUBT_MS;
  }

  /** Called on each event in a conversation, and each answer about it: an older answer must not overwrite it. */
  touch(chatId: string): void {
    this.#ticks.touch(chatId);
  }

  setLoaded(hasMore: boolean): void {
    this.#flags = { isLoaded: true, hasMore };
    this.#changes.later(this.#arrange);
  }

  /** Stores a conversation as answered by the service. Returns whether it was unknown before. */
  put(conversation: Conversation): boolean {
    const { last_message, ...chat } = conversation;
    const isMet = !this.get(chat.id);
    this.touch(chat.id);
    this.#facts.set(chat.id, {
      lastMessageId: last_message?.id ?? null,
      lastPosition: last_message?.position ?? 0,
      countedPosition: last_message?.position ?? 0,
      countedId: last_message?.id ?? '',
      countedAt: this.#clock.monotonic(),
    });
    this.#set({ ...chat, last_message_id: null });
    return isMet;
  }

  change(chatId: string, change: (chat: Chat) => Chat): void {
    const chat = this.family.get(chatId);
    if (chat) this.#set(change(chat));
  }

  /** Sets its newest message. */
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

  update({ conversation_id, channels, ...changes }: Change): void {
    const facts = this.#facts.get(conversation_id);
    if (facts && changes.unread_count !== undefined) facts.countedAt = this.#clock.monotonic();
    // Unchanged fields are undefined.
    const known = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    this.change(conversation_id, (chat) => {
      const next: Chat = { ...chat, ...known };
      for (const field of removableFields) if (changes[field] === null || changes[field] === false) delete next[field];
      if (!channels) return next;
      const before = new Map(chat.channels.map((channel) => [channel.id, channel]));
      // Without its count, a channel has only what is the same for everyone.
      next.channels = channels.map(({ id, title, unread_count, ...mute }) =>
        unread_count === undefined
          ? { unread_count: 0, ...before.get(id), id, title }
          : { id, title, unread_count, ...mute },
      );
      // The unread messages of a removed channel no longer count.
      const gone = chat.channels.filter(({ id }) => !channels.some((channel) => channel.id === id));
      if (changes.unread_count === undefined)
        next.unread_count = Math.max(
          0,
          gone.reduce((sum, { unread_count }) => sum - unread_count, next.unread_count),
        );
      return next;
    });
  }

  /** Changes the unread count by one. */
  count(chatId: string, channelId: string | null, by: 1 | -1): void {
    this.change(chatId, (chat) => ({
      ...chat,
      unread_count: Math.max(0, chat.unread_count + by),
      channels: chat.channels.map((channel) =>
        channel.id === channelId ? { ...channel, unread_count: Math.max(0, channel.unread_count + by) } : channel,
      ),
    }));
  }

  /** Orders the pins as the service does for orderPinnedChats. */
  orderPins(ids: readonly string[]): void {
    const { pinned } = this.#shown;
    const orders = pinned.map((id) => this.get(id)?.pin_order);
    const ordered = new Set([...ids.filter((id) => pinned.includes(id)), ...pinned]);
    for (const [at, id] of [...ordered].entries()) {
      const pin_order = orders[at];
      this.touch(id);
      if (pin_order !== undefined) this.change(id, (chat) => ({ ...chat, pin_order }));
    }
  }

  /** Sets the folders, and takes conversations out of those that do not exist any more. */
  setFolders(folders: readonly Folder[]): void {
    this.#folders = folders;
    this.#foldersOf = new WeakMap();
    this.#changes.later(this.#arrange);
    const ids = new Set(folders.map(({ id }) => id));
    for (const id of this.family.keys()) {
      const folderId = this.get(id)?.folder_id;
      if (folderId === undefined || ids.has(folderId)) continue;
      this.touch(id);
      this.change(id, ({ folder_id: _gone, ...chat }) => chat);
    }
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
    const last_message_id = this.pending.get(chat.id) ?? this.lastKey(chat.id);
    if (this.family.set(chat.id, { ...chat, last_message_id })) this.#changes.later(this.#arrange);
  }

  /** The key of its newest message, not counting pending ones. */
  lastKey(chatId: string): string | null {
    const id = this.#facts.get(chatId)?.lastMessageId ?? null;
    return id === null ? null : this.#names.keyOf(id);
  }

  #foldersWith(chat: Chat): readonly number[] {
    const known = this.#foldersOf.get(chat);
    if (known) return known;
    const me = this.#names.me();
    const places = this.#folders.flatMap((folder, at) => (isInFolder(chat, folder, me) ? [at] : []));
    if (me !== '') this.#foldersOf.set(chat, places);
    return places;
  }

  /** What each folder shows, and how much of that is unread. */
  #inFolders(chats: readonly Chat[]): Pick<ChatList, 'byFolder' | 'unreadByFolder'> {
    const shown = this.#folders.map(({ id }) => ({ id, ids: [] as string[], unread: 0 }));
    if (shown.length > 0)
      for (const chat of chats) {
        const places = this.#foldersWith(chat);
        if (places.length === 0 || this.#isArchived(chat)) continue;
        const counts = isUnread(chat) && !chat.is_muted;
        for (const at of places) {
          const folder = shown[at];
          folder?.ids.push(chat.id);
          if (folder && counts) folder.unread += 1;
        }
      }
    return {
      byFolder: Object.fromEntries(shown.filter(({ ids }) => ids.length > 0).map(({ id, ids }) => [id, ids])),
      unreadByFolder: Object.fromEntries(
        shown.filter(({ unread }) => unread > 0).map(({ id, unread }) => [id, unread]),
      ),
    };
  }

  /** Updates the order of the list and the totals. */
  readonly #arrange = (): void => {
    const chats = this.family.values();
    // ISO 8601 times of the same format sort as text.
    chats.sort((a, b) => (a.updated_at === b.updated_at ? 0 : a.updated_at < b.updated_at ? 1 : -1));
    this.#shown = keepingSame(this.#shown, { ...this.#listsOf(chats), ...this.#flags });
    const counted = chats.filter((chat) => !chat.is_muted && !this.#isArchived(chat));
    const unread = counted.reduce((sum, chat) => sum + chat.unread_count, 0);
    this.#changes.notify([this.#notifyList, this.#notifyTotals]);
    this.#unread = unread;
  };
  #listsOf(chats: readonly Chat[]) {
    const idsOf = (isMeant: (chat: Chat) => boolean): string[] => chats.filter(isMeant).map(({ id }) => id);
    const orderOf = (id: string): number => this.get(id)?.pin_order ?? 0;
    return {
      ids: idsOf(() => true),
      pinned: idsOf((chat) => chat.pin_order !== undefined).toSorted((a, b) => orderOf(b) - orderOf(a)),
      archived: idsOf((chat) => this.#isArchived(chat)),
      unread: idsOf(isUnread),
      ...this.#inFolders(chats),
    };
  }

  /** A new message brings an archived conversation back, unless it is muted (CHATSTATE-5). */
  #isArchived({ id, archived_position, is_muted }: Chat): boolean {
    if (archived_position === undefined) return false;
    return is_muted || (this.#facts.get(id)?.lastPosition ?? 0) <= archived_position;
  }

  #unread = 0;
  readonly #notifyList = (): void => this.list.set(this.#shown);
  readonly #notifyTotals = (): void => {
    this.unreadTotal.set(this.#unread);
    this.needsTotal.set(this.family.values().reduce((sum, chat) => sum + chat.needs_you, 0));
  };
}
