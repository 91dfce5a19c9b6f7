// The store: all data that a chat app shows, as cells, fine-grained enough that a new delta of a reply only notifies
// the subscribers of its message. A separate entry, `@parley/client/store`.
import type {
  Account,
  Actor,
  Conversation,
  Draft,
  EventParams,
  Folder,
  Message,
  Participant,
  Presence,
  Reminder,
  Schedule,
  ScheduledMessage,
  Privacy,
  Status,
  CustomEmoji,
} from '@parley/protocol';
import type { Cell } from '../cell.ts';
import type { Client, TimelineKey } from '../client.ts';
import type { Clock, PageLife } from '../environment.ts';
import type { Inbox } from './inbox.ts';
import type { OutboxEntry } from '../outbox.ts';

/** The chat list: ids, most recent activity first. */
export interface ChatList {
  readonly ids: readonly string[];
  /** The pinned ones, in the order of their pins. */
  readonly pinned: readonly string[];
  /** Those that the archive shows instead of the list. */
  readonly archived: readonly string[];
  /** Those with unread messages or marked as unread. */
  readonly unread: readonly string[];
  /** Those that each folder shows, by the folder's id: chosen ones and those that its rule includes, without archived ones. */
  readonly byFolder: Readonly<Record<string, readonly string[]>>;
  /** How many of them are unread, but for muted and archived ones; absent for none. */
  readonly unreadByFolder: Readonly<Record<string, number>>;
  /** The first page has loaded. */
  readonly isLoaded: boolean;
  /** `loadMoreChats` loads more. */
  readonly hasMore: boolean;
}

/** A Conversation without the text of its last message, which is at `message(last_message_id)`. */
export interface Chat extends Omit<Conversation, 'last_message'> {
  /** A key for `message`: the newest message, or one that is being sent. */
  readonly last_message_id: string | null;
}

/** A Message, or a placeholder until it is known. */
export interface StoredMessage extends Message {
  /**
   * The key in timelines. A message sent from here keeps the key that it had while pending, so that its row in a list
   * stays the same; all others use their `id`. `message` accepts both.
   */
  readonly key: string;
  /** Set while pending: `id` is the key, and `content` the text to be sent. */
  readonly outbox?: Pick<OutboxEntry, 'state' | 'error' | 'client_msg_id'>;
  /** The caller's edit or reaction is shown, and waits to be sent. */
  readonly is_waiting?: true;
  /** With the cap `focus`: the reply streams out of focus, and `content` is its last 120 characters. */
  readonly is_preview?: true;
}

/** A window of a timeline. */
export interface TimelineState {
  /** Keys for `message`, oldest first; pending ones are last. */
  readonly ids: readonly string[];
  /** The `ids` that have a row: of the versions of a reply, only the newest, at whose place the current one is shown. */
  readonly rows: readonly string[];
  readonly isLoaded: boolean;
  /** Whether older or newer messages exist outside the window. While `hasNewer`, new messages are not added. */
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  readonly loading: 'older' | 'newer' | 'window' | null;
  /** The error of the last load, if it failed. */
  readonly error: Error | null;
  /** Where `jumpTo` landed: the key of the first message at or after the requested message or date. */
  readonly target: string | null;
}

/** A timeline and its actions. The first subscription loads the newest page. */
export interface Timeline extends Cell<TimelineState> {
  readonly key: Required<TimelineKey>;
  /** Resolve once the page has loaded; never reject: see `error`. A load in progress is not started twice. */
  readonly loadOlder: () => Promise<void>;
  readonly loadNewer: () => Promise<void>;
  /**
   * Opens the window around a message or a date, unless the message is already in it. Resolves to whether it landed
   * there. For a deleted message the window opens at its place; for one outside this timeline the window stays
   * unchanged, or, if nothing is loaded, opens at the newest message.
   */
  readonly jumpTo: (place: string | Date) => Promise<boolean>;
  /** Opens the window at the newest message. */
  readonly jumpToNewest: () => Promise<void>;
}

/** Participants beyond the first 50, which a Chat includes. */
export interface MemberList {
  readonly items: readonly Participant[];
  readonly isLoaded: boolean;
  readonly hasMore: boolean;
}

/** What the account has scheduled in all conversations: messages and reminders soonest first, schedules as getSchedules has them. */
export interface Scheduled {
  readonly messages: readonly ScheduledMessage[];
  readonly reminders: readonly Reminder[];
  readonly schedules: readonly Schedule[];
}

/** An alert that was not dismissed yet. */
export interface StoredAlert extends EventParams<'alert'> {
  readonly id: number;
}

export interface ThreadSummary {
  readonly count: number;
  readonly last_at: string | null;
}

/** A part of a timeline, up to its newest message. */
export interface SavedTimeline {
  readonly key: Required<TimelineKey>;
  readonly messages: readonly StoredMessage[];
  readonly hasOlder: boolean;
}

/**
 * What a store held at a position of the log: plain data, for a database of the device. A client with its `position` as
 * `since` and its `account` as `self`, and a store with it as `saved`, go on from there (SDK-40).
 */
export interface SavedStore {
  readonly position: number;
  readonly account: Account;
  /** Most recent activity first. */
  readonly conversations: readonly Conversation[];
  /** What this store did not know exactly, by id: the next one fetches it. */
  readonly uncertain: { readonly conversations: readonly string[]; readonly messages: readonly string[] };
  /** Whether the account has more conversations. */
  readonly hasMore: boolean;
  readonly drafts: readonly Draft[];
  readonly folders: readonly Folder[];
  /** As it was known last; undefined if it never was. */
  readonly privacy?: Privacy | undefined;
  /** How far others have read, by conversation, as it was shown last. */
  readonly readPositions?: Readonly<Record<string, number>>;
  readonly timelines: readonly SavedTimeline[];
}

export interface SaveLimits {
  /** Conversations, beside the pinned ones; by default 300. */
  conversations?: number;
  /** Timelines, those used last; by default 100. */
  timelines?: number;
  /** Messages of a timeline; by default 50. */
  messages?: number;
  /** Characters of all texts together, about; by default 4 million. */
  characters?: number;
}

export interface StoreOptions {
  /** What an earlier store has saved. The client must have its position as `since`. */
  saved?: SavedStore | undefined;
  /** Maximum messages kept; those above it that are not shown are evicted. By default 5,000. */
  maxMessages?: number;
  /** Messages per page; by default 50. */
  pageSize?: number;
  /** Conversations loaded initially; by default 200. */
  maxChats?: number;
  clock?: Clock;
  /** Reports that the page is being left, so that input drafts are saved immediately; by default the browser's page. */
  page?: PageLife;
}

/** All data of an account, kept up to date by a client. */
export interface Store {
  readonly client: Client;
  /** The caller's own account. */
  readonly me: Cell<Account | null>;
  readonly chats: Cell<ChatList>;
  chat(chatId: string): Cell<Chat | undefined>;
  /** Returns the same Timeline for the same key. */
  timeline(key: TimelineKey): Timeline;
  /** A message by id or key. */
  message(idOrKey: string): Cell<StoredMessage | undefined>;
  /** The number of replies in a thread; null without replies or if the message is unknown. */
  thread(rootId: string): Cell<ThreadSummary | null>;
  /** The input draft of a timeline; null without one. */
  draft(key: TimelineKey): Cell<Draft | null>;
  /** Accounts typing in a timeline. */
  typing(key: TimelineKey): Cell<readonly Actor[]>;
  members(chatId: string): Cell<MemberList>;
  /** The caller's vote in a poll: indexes of options; null until `loadPollVotes` has fetched it. */
  pollVote(messageId: string): Cell<readonly number[] | null>;
  /**
   * The position up to which another person has read a chat, 0 for none; loaded and kept up to date while the cell is
   * subscribed to.
   */
  readPosition(chatId: string): Cell<number>;
  /** Any account seen so far: senders, participants, the caller. */
  account(username: string): Cell<Account | undefined>;
  readonly alerts: Cell<readonly StoredAlert[]>;
  /** The account's folders of conversations, in their order. */
  readonly folders: Cell<readonly Folder[]>;
  /** What the account has scheduled; empty until `loadScheduled` has loaded it. */
  readonly scheduled: Cell<Scheduled>;
  /** Unread messages in all conversations that are neither muted nor in the archive. */
  readonly unreadTotal: Cell<number>;
  /** Open decisions that the account may decide, in all conversations that are loaded. */
  readonly needsTotal: Cell<number>;
  /** What the caller is to look at. The first subscription loads it. */
  readonly inbox: Cell<Inbox>;
  /** Whether an account is online, and its status; undefined if that is not known. Kept up to date while it has subscribers. */
  presence(username: string): Cell<Presence | undefined>;
  /** The custom emoji of the instance, by name. Loaded when something subscribes to it. */
  readonly customEmoji: Cell<readonly CustomEmoji[]>;
  /** A custom emoji; undefined if it is not loaded, or does not exist. Loaded when something subscribes to it. */
  emoji(name: string): Cell<CustomEmoji | undefined>;
  /** What the account shares, and whether it wants previews of links; undefined until it is loaded. */
  readonly privacy: Cell<Privacy | undefined>;

  loadMoreChats(): Promise<void>;
  loadMoreInbox(): Promise<void>;
  /** Marks inbox items as done, by the ids of their messages. */
  setInboxDone(ids: readonly string[]): Promise<void>;
  /** Marks every inbox item as done, up to the newest one that is loaded. */
  setAllInboxDone(): Promise<void>;
  /** Stores a conversation answered by an operation: startChat, joinChat, setChatNotifications, setChatState … */
  putChat(conversation: Conversation): void;
  /** Stores the folders as answered by setFolders. */
  putFolders(folders: readonly Folder[]): void;
  /** Stores an emoji as createEmoji answered it. */
  putEmoji(emoji: CustomEmoji): void;
  /** Removes an emoji that deleteEmoji has deleted. */
  removeEmoji(name: string): void;
  /** Shows the caller's status as setStatus answered it. */
  putStatus(status: Status): void;
  /** Fetches messages by id, e.g. pinned or quoted ones; known messages are not fetched. */
  loadMessages(ids: readonly string[]): Promise<void>;
  /** Loads the next page of participants, or the first one again once all are loaded. */
  loadMembers(chatId: string): Promise<void>;
  /** Fetches unknown accounts. */
  loadAccounts(usernames: readonly string[]): Promise<void>;
  /** Moves the read marker forward, never back. Resolves when the service has stored it, possibly after a reload. */
  markRead(chatId: string, messageId: string): Promise<void>;
  /**
   * Marks the end of a timeline as being looked at: new messages there do not count as unread. Returns a function that
   * ends this. `markRead` informs the service.
   */
  attend(key: TimelineKey): () => void;
  /**
   * Adds or removes the caller's reaction. As with `edit` and `remove`, the store shows the change immediately, and the
   * outbox makes it once the service can be reached. If the service refuses, the store takes the change back, the
   * promise rejects, and the client emits `changeRefused`.
   */
  react(messageId: string, emoji: string, on: boolean): Promise<void>;
  /** Changes the text of the caller's own message. */
  edit(messageId: string, text: string): Promise<void>;
  /** Deletes messages for everyone. Resolves to the ids of those that the service has deleted. */
  remove(ids: readonly string[]): Promise<readonly string[]>;
  /** Orders the pinned conversations, immediately in this store. Rejects, and takes it back, if the service refuses. */
  orderPinned(chatIds: readonly string[]): Promise<void>;
  /** Fetches the caller's votes in polls; known ones are not fetched. */
  loadPollVotes(messageIds: readonly string[]): Promise<void>;
  /** Sets the caller's vote in a poll; an empty list takes it back. */
  vote(messageId: string, options: readonly number[]): Promise<void>;
  /** Hides messages for the caller only. */
  hide(ids: readonly string[]): Promise<void>;
  /** Loads what the account has scheduled, and keeps it up to date from then on. */
  loadScheduled(): Promise<void>;
  /** Shows the draft immediately, saves it a moment later, and syncs it to the other devices. Empty text clears it. */
  saveDraft(key: TimelineKey, text: string, replyToId?: string | null): void;
  /** Sends that the caller is typing, at most every few seconds, or that it stopped. */
  setTyping(key: TimelineKey, isTyping: boolean): void;
  dismissAlert(id: number): void;
  /**
   * Loads the newest messages of conversations with activity since then, one after another and at most `most`, so that
   * they are shown without a network. Never rejects.
   */
  loadRecent(since: Date, most: number): Promise<void>;
  /** What the store holds now; null until it has loaded, and while it loads again. */
  save(limits?: SaveLimits): SavedStore | null;
  /** Unsubscribes the store; the client stays open. */
  close(): void;
}
