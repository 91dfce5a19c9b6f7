import type { Account, Folder, Message, Versions } from '@parley/protocol';
import type { Client } from '../client.ts';
import type { Clock } from '../environment.ts';
import { CellFamily } from './cell-family.ts';
import { Changes } from './changes.ts';
import { ChatTable } from './chat-table.ts';
import { EmojiBox } from './custom-emoji.ts';
import { DraftBox } from './draft-box.ts';
import { InboxBox } from './inbox.ts';
import { Journal } from './journal.ts';
import { MessageTable } from './message-table.ts';
import { Pending } from './pending.ts';
import { People } from './people.ts';
import { ReadPositions } from './read-positions.ts';
import { PresenceBox } from './presence.ts';
import { PrivacyBox } from './privacy.ts';
import { isSame } from './same.ts';
import { ScheduledTable } from './scheduled.ts';
import type { MemberList, StoredAlert } from './store.ts';
import { Ticks } from './ticks.ts';
import { timelineIdOf } from './timeline-id.ts';
import { versionsAfter } from './versions.ts';
import { WaitingChanges } from './waiting-changes.ts';
import { Windows } from './windows.ts';

const noAlerts: readonly StoredAlert[] = [];
const noFolders: readonly Folder[] = [];

/** All data of a store. */
export class StoreState {
  readonly changes = new Changes();
  /** The caller's own account, under the empty key. */
  readonly me = new CellFamily<Account | null>(this.changes, () => null);
  readonly messages: MessageTable;
  readonly windows: Windows;
  readonly chats: ChatTable;
  readonly people: People;
  readonly ticks = new Ticks();
  readonly journal = new Journal(this.changes);
  /** One list, under the empty key. */
  readonly alerts = new CellFamily<readonly StoredAlert[]>(this.changes, () => noAlerts);
  /** One list, under the empty key. */
  readonly folders = new CellFamily<readonly Folder[]>(this.changes, () => noFolders);
  readonly drafts: DraftBox;
  readonly inbox: InboxBox;
  readonly presence: PresenceBox;
  readonly scheduled: ScheduledTable;
  readonly emoji: EmojiBox;
  readonly privacy: PrivacyBox;
  readonly pending: Pending;
  readonly waiting: WaitingChanges;
  readonly reads: ReadPositions;
  /** Fetched pages of participants. */
  readonly members: CellFamily<MemberList | null>;
  readonly client: Client;

  constructor(client: Client, clock: Clock) {
    this.client = client;
    this.people = new People(this.changes, clock);
    this.messages = new MessageTable(
      this.changes,
      (message, isStreaming) => {
        const { username, kind, display_name } = message.sender;
        const writer = isStreaming ? { username, kind, display_name } : null;
        this.people.setWriting(timelineIdOf(message), message.id, writer);
      },
      (message) => this.waiting.show(message),
    );
    this.windows = new Windows(this.changes, this.messages, (message) => this.waiting.isDeleted(message));
    this.reads = new ReadPositions(this.changes, client);
    this.chats = new ChatTable(this.changes, clock, this.ticks, {
      me: () => this.client.account?.username ?? this.sender ?? '',
      keyOf: (id) => this.messages.keyOf(id),
    });
    this.members = new CellFamily<MemberList | null>(this.changes, () => null);
    this.drafts = new DraftBox(
      this.changes,
      client,
      clock,
      this.ticks,
      crypto.getRandomValues(new Uint32Array(3)).join('-'),
    );
    this.inbox = new InboxBox(this.changes, client, clock);
    this.presence = new PresenceBox(this.changes, client, clock, this.ticks);
    this.scheduled = new ScheduledTable(this.changes, client);
    this.emoji = new EmojiBox(this.changes, client, clock, this.ticks);
    this.privacy = new PrivacyBox(this.changes, client);
    this.pending = new Pending(this);
    this.waiting = new WaitingChanges(this);
  }

  /** The account's username, if a message that it sent has told it before the client knows the account. */
  sender: string | null = null;

  /** Shows the caller's own account. */
  showMe(account: Account | null = this.client.account): void {
    if (!account) return;
    this.people.see(account);
    this.me.set('', account);
  }

  isOwn(username: string): boolean {
    return username === (this.client.account?.username ?? this.sender);
  }

  /** Whether a message counts as unread (EXT-3). */
  isUnread({ conversation_id, position, sender, service }: Message): boolean {
    const chat = this.chats.get(conversation_id);
    return chat !== undefined && position > chat.last_read_position && !service && !this.isOwn(sender.username);
  }

  /** Whether the account has cleared the message (CHATSTATE-9). */
  isCleared({ conversation_id, position }: Message): boolean {
    return position <= (this.chats.get(conversation_id)?.cleared_position ?? 0);
  }

  /** Removes the messages that the account has cleared. */
  clear(chatId: string): void {
    const through = this.chats.get(chatId)?.cleared_position ?? 0;
    const isEmpty = (this.chats.facts(chatId)?.lastPosition ?? 0) <= through;
    this.windows.clear(chatId, through, isEmpty);
    for (const key of this.messages.family.keys()) {
      const message = this.messages.get(key);
      if (!message || message.outbox || message.conversation_id !== chatId || message.position > through) continue;
      this.messages.remove(message.id);
    }
    this.inbox.update((item) => (item.conversation_id === chatId && item.position <= through ? null : item));
    if (isEmpty) this.chats.setLast(chatId, null, 0);
  }

  /** Sets the list of folders; conversations of others are in none. */
  setFolders(folders: readonly Folder[]): void {
    this.folders.set('', folders);
    this.chats.setFolders(folders);
  }

  /** Marks the items of a conversation as read, up to a position. */
  readInbox(chatId: string, readPosition: number): void {
    this.inbox.update((item) =>
      item.is_unread && item.conversation_id === chatId && item.position <= readPosition
        ? { ...item, is_unread: false }
        : item,
    );
  }

  /** Changes the versions of the messages that are known (REGEN-5). */
  setVersions({ ids, current }: Versions): void {
    const versions = versionsAfter({ ids, current });
    for (const id of ids) {
      const known = this.messages.get(id);
      if (!known || isSame(known.versions, versions)) continue;
      this.messages.change(id, ({ versions: _former, ...message }) => ({ ...message, ...(versions && { versions }) }));
      this.windows.refresh(known);
    }
  }

  /** The participants have changed: the pages of them that were fetched are stale. */
  dropMembers(chatId: string): void {
    const drop = (): void => this.members.delete(chatId);
    this.journal.add(drop);
    drop();
  }

  /** Removes a conversation and its messages. */
  removeChat(chatId: string): void {
    this.windows.close((key) => key.chat_id === chatId);
    this.removeMessages((message) => message.conversation_id === chatId);
    this.people.stopTyping((timeline) => timeline.startsWith(chatId));
    this.dropMembers(chatId);
    this.reads.forget(chatId);
    this.drafts.forget((key) => key.chat_id === chatId);
    this.inbox.update((item) => (item.conversation_id === chatId ? null : item));
    this.chats.touch(chatId);
    this.chats.remove(chatId);
  }

  /** Pending messages stay: the service decides whether they are sent. */
  removeMessages(isMeant: (message: { conversation_id: string; channel_id: string | null }) => boolean): void {
    for (const key of this.messages.family.keys()) {
      const message = this.messages.get(key);
      if (message && !message.outbox && isMeant(message)) this.messages.remove(message.id);
    }
  }
}
