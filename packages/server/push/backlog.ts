import type { Clock, Timer } from '../core/clock.ts';
import type { QueuedMessage } from './queued-message.ts';

/** Finds the recipients of messages of one conversation; resolves when they have been queued. */
type FindRecipients = (chatKey: number, messages: readonly QueuedMessage[]) => Promise<void>;

/** Minimum time between two passes: the first message is handled immediately, those that follow it together. */
const PACE_MS = 100;
const MAX_SIZE = 50_000;

/** Messages whose recipients are not found yet, by conversation: a busy conversation costs one lookup (PUSH-13). */
export class Backlog {
  readonly #clock: Clock;
  readonly #find: FindRecipients;
  readonly #byChat = new Map<number, QueuedMessage[]>();
  #isScheduled = false;
  #pace: Timer | null = null;
  #nextAt = 0;
  #isClosed = false;
  /** Number of messages whose recipients are not all found. */
  size = 0;
  /** Number of messages dropped because the backlog was full. */
  dropped = 0;

  constructor(clock: Clock, find: FindRecipients) {
    this.#clock = clock;
    this.#find = find;
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

  /** Handles everything without waiting for the pace, and accepts nothing afterwards. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#pace?.cancel();
    return this.#handleAll();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isClosed) return;
    this.#isScheduled = true;
    const waitMs = this.#nextAt - this.#clock.monotonic();
    const handle = (): void => {
      this.#pace = null;
      void this.#handleAll();
    };
    if (waitMs <= 0) setImmediate(handle);
    else this.#pace = this.#clock.setTimer(handle, waitMs);
  }

  async #handleAll(): Promise<void> {
    this.#nextAt = this.#clock.monotonic() + PACE_MS;
    // Messages added during the loop are appended to the map and handled by it.
    for (const [chatKey, messages] of this.#byChat) {
      this.#byChat.delete(chatKey);
      await this.#find(chatKey, messages);
      this.size -= messages.length;
    }
    this.#isScheduled = false;
  }
}
