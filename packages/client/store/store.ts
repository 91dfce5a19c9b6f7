// The store: all that a chat app shows, as cells. Fine enough that one token of a reply tells the subscribers of its
// message alone. An entry of its own, `@parley/client/store`.
import type { Account, Actor, Conversation, Draft, EventParams, Message, Participant } from '@parley/protocol';
import type { Cell } from '../cell.ts';
import type { Client, TimelineKey } from '../client.ts';
import type { Clock, PageLife } from '../environment.ts';
import type { OutboxEntry } from '../outbox.ts';

/** The chat list: ids, newest activity first. */
export interface ChatList {
  readonly ids: readonly string[];
  /** The first page has come. */
  readonly isLoaded: boolean;
  /** `loadMoreChats` brings more. */
  readonly hasMore: boolean;
}

/** A Conversation without its last message's text: that is `message(last_message_id)`. */
export interface Chat extends Omit<Conversation, 'last_message'> {
  /** A key for `message`: the newest message, or one that is being sent. */
  readonly last_message_id: string | null;
}

/** A Message, or what stands for it until it is known. */
export interface StoredMessage extends Message {
  /**
   * What timelines call it. One that was sent from here keeps the key it had while it was pending, so that its row in
   * a list stays the same row; all others have their `id`. `message` answers to both.
   */
  readonly key: string;
  /** It is pending: `id` is its key, and `content` what shall be sent. */
  readonly outbox?: Pick<OutboxEntry, 'state' | 'error' | 'client_msg_id'>;
  /** With the cap `focus`: it is written elsewhere, and `content` is its last 120 characters. */
  readonly is_preview?: true;
}

/** A window of a timeline. */
export interface TimelineState {
  /** Keys for `message`, oldest first; pending ones are last. */
  readonly ids: readonly string[];
  readonly isLoaded: boolean;
  /** There is more before, or behind, what is shown. While `hasNewer`, new messages are not added. */
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  readonly loading: 'older' | 'newer' | 'window' | null;
  /** Why the last load came to nothing. */
  readonly error: Error | null;
  /** Where `jumpTo` has landed: a key, the first message at or after the place. */
  readonly target: string | null;
}

/** A timeline and what one can do with it. The first subscription loads the newest page. */
export interface Timeline extends Cell<TimelineState> {
  readonly key: Required<TimelineKey>;
  /** Resolve when the page is there; never reject: see `error`. A load that is under way is not begun again. */
  readonly loadOlder: () => Promise<void>;
  readonly loadNewer: () => Promise<void>;
  /**
   * Opens the window around a message or a date, unless the message is in it already. Answers whether it has landed
   * there: where a message was deleted the window opens at its place, and one that is not of this conversation leaves
   * the window as it was, or opens it at the newest message.
   */
  readonly jumpTo: (place: string | Date) => Promise<boolean>;
  /** Opens the window at the newest message. */
  readonly jumpToNewest: () => Promise<void>;
}

/** Participants beyond the first 50 of a Chat. */
export interface MemberList {
  readonly items: readonly Participant[];
  readonly isLoaded: boolean;
  readonly hasMore: boolean;
}

/** A pop-up that nobody has dismissed yet. */
export interface StoredAlert extends EventParams<'alert'> {
  readonly id: number;
}

export interface ThreadSummary {
  readonly count: number;
  readonly last_at: string | null;
}

export interface StoreOptions {
  /** Beyond so many messages those go that nobody looks at; by default 5,000. */
  maxMessages?: number;
  /** Messages a page; by default 50. */
  pageSize?: number;
  /** Conversations that are loaded at first; by default 200. */
  maxChats?: number;
  clock?: Clock;
  /** When what is typed has to be stored at once; by default that of the browser's page. */
  page?: PageLife;
}

/** All that is known of the service, kept up to date by a client. */
export interface Store {
  readonly client: Client;
  /** The caller's own account. */
  readonly me: Cell<Account | null>;
  readonly chats: Cell<ChatList>;
  chat(chatId: string): Cell<Chat | undefined>;
  /** The same Timeline for the same key. */
  timeline(key: TimelineKey): Timeline;
  /** By id or key. */
  message(idOrKey: string): Cell<StoredMessage | undefined>;
  /** How many replies a message has; null without any, or where the message is not known. */
  thread(rootId: string): Cell<ThreadSummary | null>;
  /** What one has typed there and not sent; null for nothing. */
  draft(chatId: string): Cell<Draft | null>;
  /** Who is typing in a timeline. */
  typing(key: TimelineKey): Cell<readonly Actor[]>;
  members(chatId: string): Cell<MemberList>;
  /** Anyone who has been seen: senders, participants, oneself. */
  account(username: string): Cell<Account | undefined>;
  readonly alerts: Cell<readonly StoredAlert[]>;
  /** Unread messages over all conversations that are not muted. */
  readonly unreadTotal: Cell<number>;

  loadMoreChats(): Promise<void>;
  /** Puts in what an operation has answered: startChat, joinChat, setChatNotifications … */
  putChat(conversation: Conversation): void;
  /** Fetches messages by their ids, of pins and quotes say; those that are known cost nothing. */
  loadMessages(ids: readonly string[]): Promise<void>;
  /** The next page of participants, the first one anew when all are there. */
  loadMembers(chatId: string): Promise<void>;
  /** Fetches accounts that are not known. */
  loadAccounts(usernames: readonly string[]): Promise<void>;
  /** Moves the read marker forward, never back. Resolves when the service has it, which may be after a reconnect. */
  markRead(chatId: string, messageId: string): Promise<void>;
  /** While one looks at its end: what comes there counts nowhere as unread. The answer ends it. `markRead` tells the service. */
  attend(key: TimelineKey): () => void;
  /** Adds one's reaction, or takes it away. */
  react(messageId: string, emoji: string, on: boolean): Promise<void>;
  /** Hides messages for the caller alone. */
  hide(ids: readonly string[]): Promise<void>;
  /** Shows at once, is stored a moment later, and reaches the other devices. Empty text clears. */
  saveDraft(chatId: string, text: string, replyToId?: string | null): void;
  /** Tells that one types, at most every few seconds; stops when told so. */
  setTyping(key: TimelineKey, isTyping: boolean): void;
  dismissAlert(id: number): void;
  /** Ends its subscriptions; the client goes on. */
  close(): void;
}
