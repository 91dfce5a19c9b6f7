import type { TimelineKey } from '../client.ts';
import type { Refresher } from './refresher.ts';
import type { StoreState } from './state.ts';
import type { StoredMessage } from './store.ts';
import { timelineId, timelineIdOf } from './timeline-id.ts';

/** Timelines that the user is looking at: messages that arrive there are read on arrival and not counted. */
export class Attention {
  readonly #state: StoreState;
  readonly #refresher: Refresher;
  /** Attended timelines, each with the number of calls of `attend` that have not ended. */
  readonly #places = new Map<string, number>();

  constructor(state: StoreState, refresher: Refresher) {
    this.#state = state;
    this.#refresher = refresher;
  }

  attend(key: TimelineKey): () => void {
    const id = timelineId(key);
    this.#places.set(id, (this.#places.get(id) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      // Messages that were not marked as read count as unread again.
      if (this.#news(key.chat_id).length > 0) this.#refresher.chat(key.chat_id);
      const left = (this.#places.get(id) ?? 1) - 1;
      if (left > 0) this.#places.set(id, left);
      else this.#places.delete(id);
    };
  }

  has(message: Parameters<typeof timelineIdOf>[0]): boolean {
    return this.#places.has(timelineIdOf(message));
  }

  /** Corrects counts fetched from the service, which does not know the messages read just now. */
  discount(chatId: string, upTo = Infinity): void {
    for (const { position, channel_id } of this.#news(chatId))
      if (position <= upTo) this.#state.chats.count(chatId, channel_id, -1);
  }

  /** Whether messages were read here of which the service does not know yet. */
  isAhead(chatId: string): boolean {
    return this.#news(chatId).length > 0;
  }

  /** Messages that arrived in attended timelines and are not marked as read yet. */
  #news(chatId: string): StoredMessage[] {
    const { windows, messages, chats } = this.#state;
    const readPosition = chats.get(chatId)?.last_read_position ?? 0;
    const news: StoredMessage[] = [];
    for (const id of this.#places.keys()) {
      const { key, keys = [] } = windows.all.get(id) ?? {};
      if (key?.chat_id !== chatId) continue;
      for (let at = keys.length - 1; at >= 0; at -= 1) {
        const message = messages.get(keys[at] ?? '');
        if (!message || message.position <= readPosition) break;
        if (this.#state.isUnread(message)) news.push(message);
      }
    }
    return news;
  }
}
