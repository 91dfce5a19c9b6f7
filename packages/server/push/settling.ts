import type { Logger } from 'pino';
import type { Clock, Timer } from '../core/clock.ts';
import { Ledger } from './ledger.ts';
import { KEEP_ROWS_MS } from './liveness.ts';
import type { Settled } from './push-units.ts';
import type { QueuedMessage } from './queued-message.ts';
import type { Shown } from './shown.ts';

const SETTLE_MS = 1_000;
/** Rows deleted in one unit: few enough that nobody waits for it. */
const STEP = 2_000;
/** What devices show, stored in one unit. */
const SHOWN_STEP = 500;

type Settle = (input: Settled) => Promise<unknown>;

/** Deletes the rows of the queue that nobody needs any more, and stores what devices show, about once a second. */
export class Settling {
  readonly #ledger = new Ledger();
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #settle: Settle;
  readonly #shown: Shown;
  /** Conversations in which nobody has a token any more. */
  readonly #quietChats = new Set<number>();
  #timer: Timer | null = null;
  #isClosed = false;

  constructor(clock: Clock, logger: Logger, shown: Shown, settle: Settle) {
    this.#clock = clock;
    this.#logger = logger;
    this.#shown = shown;
    this.#settle = settle;
  }

  /** Nobody in the conversation has a token. */
  quiet(chatKey: number): void {
    this.#quietChats.add(chatKey);
    this.#later();
  }

  need(messages: readonly QueuedMessage[]): void {
    for (const { messageKey } of messages) this.#ledger.need(messageKey);
  }

  /** They are needed once less. */
  end(messages: readonly QueuedMessage[]): void {
    for (const { messageKey } of messages) this.#ledger.release(messageKey);
    this.#later();
  }

  /** Live recipients have them, unless a connection turns out to be dead. */
  keep(messages: readonly QueuedMessage[]): void {
    const until = this.#clock.now() + KEEP_ROWS_MS;
    for (const { messageKey } of messages) this.#ledger.keep(messageKey, until);
    this.#later();
  }

  /** What devices show has changed. */
  wake(): void {
    this.#later();
  }

  #later(): void {
    const isSettled = this.#ledger.isSettled && this.#quietChats.size === 0 && this.#shown.isStored;
    if (this.#isClosed || this.#timer || isSettled) return;
    this.#timer = this.#clock.setTimer(() => void this.#tick(), SETTLE_MS);
  }

  /** For the last time: nobody is live any more, so the rows that stay are those with a push still to be sent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#settleAll(Number.MAX_SAFE_INTEGER);
  }

  async #tick(): Promise<void> {
    await this.#settleAll(this.#clock.now());
    this.#timer = null;
    this.#later();
  }

  async #settleAll(now: number): Promise<void> {
    for (;;) {
      const { shown, badges } = this.#shown.unstored(SHOWN_STEP);
      // A row goes with what became of it, or later: whatever was sent is pushed again, or known to be shown.
      const done = shown.length < SHOWN_STEP ? this.#ledger.takeDone(now, STEP) : [];
      const quietChats = [...this.#quietChats];
      this.#quietChats.clear();
      if (done.length + quietChats.length + shown.length + badges.length === 0) return;
      try {
        await this.#settle({ done, quietChats, shown, badges });
        this.#shown.stored({ shown, badges });
      } catch (error) {
        this.#ledger.putBack(done);
        this.#logger.warn({ err: error }, 'the push queue could not be tidied');
        return;
      }
    }
  }
}
