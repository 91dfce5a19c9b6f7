import type { Logger } from 'pino';
import type { Clock, Timer } from '../core/clock.ts';
import { Ledger } from './ledger.ts';
import { KEEP_ROWS_MS } from './liveness.ts';
import type { Settled } from './push-units.ts';
import type { QueuedMessage } from './queued-message.ts';
import type { Shown } from './shown.ts';

const SETTLE_MS = 1_000;
/** Maximum rows deleted per unit, few enough that the unit does not delay others. */
const STEP = 2_000;
/** Maximum rows about shown notifications stored per unit. */
const SHOWN_STEP = 500;

type Settle = (input: Settled) => Promise<unknown>;

/** About once a second, deletes queue rows that are no longer needed and stores what devices show. */
export class Settling {
  readonly #ledger = new Ledger();
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #settle: Settle;
  readonly #shown: Shown;
  /** Conversations in which no participant has a token. */
  readonly #quietChats = new Set<number>();
  #timer: Timer | null = null;
  #isClosed = false;

  constructor(clock: Clock, logger: Logger, shown: Shown, settle: Settle) {
    this.#clock = clock;
    this.#logger = logger;
    this.#shown = shown;
    this.#settle = settle;
  }

  /** Reports that no participant of the conversation has a token. */
  quiet(chatKey: number): void {
    this.#quietChats.add(chatKey);
    this.#later();
  }

  need(messages: readonly QueuedMessage[]): void {
    for (const { messageKey } of messages) this.#ledger.need(messageKey);
  }

  /** Undoes one `need` of each message. */
  end(messages: readonly QueuedMessage[]): void {
    for (const { messageKey } of messages) this.#ledger.release(messageKey);
    this.#later();
  }

  /** Keeps the rows of messages that live recipients have, in case a connection turns out to be dead. */
  keep(messages: readonly QueuedMessage[]): void {
    const until = this.#clock.monotonic() + KEEP_ROWS_MS;
    for (const { messageKey } of messages) this.#ledger.keep(messageKey, until);
    this.#later();
  }

  /** Schedules a run, because what devices show has changed. */
  wake(): void {
    this.#later();
  }

  #later(): void {
    const isSettled = this.#ledger.isSettled && this.#quietChats.size === 0 && this.#shown.isStored;
    if (this.#isClosed || this.#timer || isSettled) return;
    this.#timer = this.#clock.setTimer(() => void this.#tick(), SETTLE_MS);
  }

  /** Runs for the last time. No account counts as live at this point, so only rows with a pending push are kept. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#settleAll(Number.MAX_SAFE_INTEGER);
  }

  async #tick(): Promise<void> {
    await this.#settleAll(this.#clock.monotonic());
    this.#timer = null;
    this.#later();
  }

  async #settleAll(now: number): Promise<void> {
    for (;;) {
      const { shown, badges } = this.#shown.unstored(SHOWN_STEP);
      // Store what devices show with or before the deletion of the queue row: after a crash, a push whose row exists is
      // sent again unless the store says that the device shows it.
      const done = shown.length < SHOWN_STEP ? this.#ledger.takeDone(now, STEP) : [];
      const quietChats = [...this.#quietChats];
      this.#quietChats.clear();
      if (done.length + quietChats.length + shown.length + badges.length === 0) return;
      try {
        await this.#settle({ done, quietChats, shown, badges });
        this.#shown.stored({ shown, badges });
      } catch (error) {
        this.#ledger.putBack(done);
        this.#logger.warn({ err: error }, 'failed to clean up the push queue');
        return;
      }
    }
  }
}
