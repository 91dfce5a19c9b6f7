import type { Clock, Timer } from '../core/clock.ts';
import type { QueuedMessage } from './queued-message.ts';

/** Looks at messages of one conversation; resolves when their recipients have been found. */
export type Look = (chatKey: number, messages: readonly QueuedMessage[]) => Promise<void>;

/** The first message is looked at once, those behind it together. */
const PACE_MS = 100;
const MAX_SIZE = 50_000;

/** Messages whose recipients are still to be found, by conversation: those of a busy one cost one look (PUSH-13). */
export class Backlog {
  readonly #clock: Clock;
  readonly #look: Look;
  readonly #byChat = new Map<number, QueuedMessage[]>();
  #isScheduled = false;
  #pace: Timer | null = null;
  #nextAt = 0;
  #isClosed = false;
  /** Messages that have not been looked at to their end. */
  size = 0;
  /** Messages for which there was no room. */
  dropped = 0;

  constructor(clock: Clock, look: Look) {
    this.#clock = clock;
    this.#look = look;
  }

  add(message: QueuedMessage): void {
    if (!message.isLate && this.size >= MAX_SIZE) {
      this.dropped += 1;
      return;
    }
    const known = this.#byChat.get(message.chatKey);
    if (known) known.push(message);
    else this.#byChat.set(message.chatKey, [message]);
    this.size += 1;
    this.#schedule();
  }

  /** Looks at everything without waiting for more, and takes nothing afterwards. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#pace?.cancel();
    return this.#lookAtAll();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isClosed) return;
    this.#isScheduled = true;
    const waitMs = this.#nextAt - this.#clock.now();
    const look = (): void => {
      this.#pace = null;
      void this.#lookAtAll();
    };
    if (waitMs <= 0) setImmediate(look);
    else this.#pace = this.#clock.setTimer(look, waitMs);
  }

  async #lookAtAll(): Promise<void> {
    this.#nextAt = this.#clock.now() + PACE_MS;
    // What is added meanwhile comes behind.
    for (const [chatKey, messages] of this.#byChat) {
      this.#byChat.delete(chatKey);
      await this.#look(chatKey, messages);
      this.size -= messages.length;
    }
    this.#isScheduled = false;
  }
}
