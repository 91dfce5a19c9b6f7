import { ApiError, retryAfterMs } from '../api.ts';
import { retryDelayMs } from '../backoff.ts';
import type { Client } from '../client.ts';
import { type Deferred, deferred } from '../deferred.ts';
import type { Clock, Timer } from '../environment.ts';
import type { MessageTable } from './message-table.ts';

interface Mark {
  messageId: string;
  attempts: number;
  timer: Timer | null;
  isBusy: boolean;
  readonly done: Deferred<void>;
}

interface Parts {
  client: Client;
  clock: Clock;
  messages: MessageTable;
  /** Called when the service has stored the marker. */
  onMarked: (chatId: string) => void;
}

/** The newest read marker of each conversation, until the service has stored it. */
export class ReadMarkers {
  readonly #parts: Parts;
  readonly #marks = new Map<string, Mark>();
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Rejects if the service refuses the marker. */
  mark(chatId: string, messageId: string): Promise<void> {
    const known = this.#marks.get(chatId);
    const mark = known ?? { messageId, attempts: 0, timer: null, isBusy: false, done: deferred<void>() };
    if (!this.#isBefore(messageId, mark.messageId)) mark.messageId = messageId;
    this.#marks.set(chatId, mark);
    void this.#send(chatId, mark);
    return mark.done.promise;
  }

  /** The service is reachable: retry immediately. */
  retry(): void {
    for (const [chatId, mark] of this.#marks) {
      mark.timer?.cancel();
      mark.timer = null;
      mark.attempts = 0;
      void this.#send(chatId, mark);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const { timer } of this.#marks.values()) timer?.cancel();
  }

  async #send(chatId: string, mark: Mark): Promise<void> {
    if (mark.isBusy || mark.timer || this.#isClosed) return;
    const { client, clock, messages, onMarked } = this.#parts;
    const { messageId } = mark;
    mark.isBusy = true;
    try {
      await client.call('markRead', { chat_id: chatId, message_id: messages.idOf(messageId) });
      mark.isBusy = false;
      mark.attempts = 0;
      if (mark.messageId !== messageId) return await this.#send(chatId, mark);
      this.#marks.delete(chatId);
      onMarked(chatId);
      mark.done.resolve();
    } catch (error) {
      mark.isBusy = false;
      if (error instanceof ApiError && error.status !== 429 && error.status < 500) {
        // A later mark may be waiting.
        if (mark.messageId !== messageId) return this.#send(chatId, mark);
        this.#marks.delete(chatId);
        return mark.done.reject(error);
      }
      // Without a connection, the reconnect sends it.
      if (client.state !== 'live' || this.#isClosed) return undefined;
      mark.attempts += 1;
      const delayMs = Math.max(retryAfterMs(error), retryDelayMs(mark.attempts, Math.random));
      mark.timer = clock.setTimer(() => {
        mark.timer = null;
        void this.#send(chatId, mark);
      }, delayMs);
    }
    return undefined;
  }

  #isBefore(messageId: string, other: string): boolean {
    const { messages } = this.#parts;
    return (messages.get(messageId)?.position ?? Infinity) < (messages.get(other)?.position ?? 0);
  }
}
