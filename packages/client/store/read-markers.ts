import type { Attention } from './attention.ts';
import type { Refresher } from './refresher.ts';
import type { StoreState } from './state.ts';

/** How far the user has read, as the outbox is to report it. */
export class ReadMarkers {
  readonly #state: StoreState;
  readonly #attention: Attention;
  readonly #refresher: Refresher;

  constructor(state: StoreState, attention: Attention, refresher: Refresher) {
    this.#refresher = refresher;
    this.#state = state;
    this.#attention = attention;
  }

  /** Rejects if the service refuses the marker. */
  mark(chatId: string, messageId: string): Promise<void> {
    const { client, changes, messages } = this.#state;
    const message = messages.get(messageId);
    const further = this.#waiting(chatId).find((id) => this.#positionOf(id, 0) > this.#positionOf(messageId, Infinity));
    const message_id = further ?? message?.outbox?.client_msg_id ?? message?.id ?? messageId;
    const marked = client.outbox.change(chatId, 'markRead', { chat_id: chatId, message_id });
    // Otherwise the service sends the counts in a moment.
    if (client.state !== 'live') changes.run(() => this.show(chatId));
    // With `ext` the service sends the new counts to all devices, including this one.
    return marked.then(() => void (client.caps.includes('ext') || this.#refresher.chat(chatId)));
  }

  /** Shows a conversation as read up to the marker that waits: the service does not know it yet. */
  show(chatId: string): void {
    const { chats, messages, windows } = this.#state;
    const [chat, facts] = [chats.get(chatId), chats.facts(chatId)];
    if (!chat || !facts) return;
    const positions = this.#waiting(chatId).map((id) => this.#positionOf(id, 0));
    // Messages that are being sent or written have no position yet: they are after all others.
    const upTo = Math.min(facts.lastPosition, Math.max(0, ...positions));
    if (upTo <= chat.last_read_position) return;
    const isAll = upTo >= facts.lastPosition;
    if (!isAll)
      for (const { key, keys } of windows.all.values()) {
        if (key.chat_id !== chatId) continue;
        for (const message of keys.flatMap((one) => messages.get(one) ?? []))
          if (message.position <= upTo && this.#state.isUnread(message) && !this.#attention.has(message))
            chats.count(chatId, message.channel_id, -1);
      }
    chats.change(chatId, ({ is_marked_unread: _isMarked, ...now }) => ({
      ...now,
      last_read_position: upTo,
      ...(isAll && { unread_count: 0, channels: now.channels.map((channel) => ({ ...channel, unread_count: 0 })) }),
    }));
    this.#state.readInbox(chatId, upTo);
  }

  isAhead(chatId: string): boolean {
    return this.#waiting(chatId).length > 0;
  }

  #waiting(chatId: string): string[] {
    return this.#state.client.outbox.changes
      .get()
      .flatMap(({ chat_id, change }) =>
        change.name === 'markRead' && chat_id === chatId ? change.params.message_id : [],
      );
  }

  #positionOf(messageId: string, otherwise: number): number {
    const { outbox, position = otherwise } = this.#state.messages.get(messageId) ?? {};
    return outbox ? Infinity : position;
  }
}
