import type { Clock, Timer } from '../clock.ts';

export interface QueuedMessage {
  messageKey: number;
  chatKey: number;
  senderKey: number;
  /** It was stored a while ago: whoever has read it need not be told. */
  isLate: boolean;
}

/** Looks at messages of one conversation; answers how many recipients it went through for each. */
export type Look = (chatKey: number, messages: readonly QueuedMessage[]) => number;

/** The first message is looked at once, those behind it together. */
const PACE_MS = 100;
/** Pairs of messages and recipients looked at before sockets and callers have their turn. */
const PAIRS_PER_TURN = 2_000;
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

  /** Looks at everything at once, and takes nothing any more. */
  close(): void {
    this.#isClosed = true;
    this.#pace?.cancel();
    while (this.size > 0) this.#lookAtSome();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isClosed) return;
    this.#isScheduled = true;
    const waitMs = this.#nextAt - this.#clock.now();
    const look = (): void => {
      this.#pace = null;
      this.#lookAtSome();
      if (this.size > 0) return void setImmediate(look);
      this.#isScheduled = false;
      this.#nextAt = this.#clock.now() + PACE_MS;
    };
    if (waitMs <= 0) setImmediate(look);
    else this.#pace = this.#clock.setTimer(look, waitMs);
  }

  #lookAtSome(): void {
    let pairs = 0;
    for (const [chatKey, messages] of this.#byChat) {
      if (pairs >= PAIRS_PER_TURN) return;
      this.#byChat.delete(chatKey);
      this.size -= messages.length;
      pairs += messages.length * (1 + this.#look(chatKey, messages));
    }
  }
}
