import type { QueuedMessage } from './queued-message.ts';

/** Of what a silent connection has swallowed, the newest; the rest is found when the app is opened. */
export const MOST_UNCONFIRMED = 50;

interface Entry {
  /** The account's last sign of life when these were sent to it. */
  heardAt: number;
  messages: QueuedMessage[];
}

/** What was sent to live accounts since their last sign of life: pushed after all if there is none any more (PUSH-9). */
export class Unconfirmed {
  readonly #entries = new Map<number, Entry>();

  /** These were sent to a live account, but for its own among them. */
  note(accountKey: number, heardAt: number, messages: readonly QueuedMessage[]): void {
    const others = messages.filter(({ senderKey }) => senderKey !== accountKey);
    if (others.length === 0) return;
    const entry = this.#entries.get(accountKey);
    if (!entry || entry.heardAt < heardAt) {
      this.#entries.set(accountKey, { heardAt, messages: others });
      return;
    }
    entry.messages.push(...others);
    if (entry.messages.length > 2 * MOST_UNCONFIRMED) entry.messages = entry.messages.slice(-MOST_UNCONFIRMED);
  }

  /** All of it, for a service that stops: nobody will give a sign of life any more. */
  takeAll(): [accountKey: number, messages: QueuedMessage[]][] {
    const all = [...this.#entries].map(([key, { messages }]): [number, QueuedMessage[]] => [key, messages]);
    this.#entries.clear();
    return all;
  }

  /**
   * A socket of the account is gone. `heardAt`: when the account was last heard from, over any socket; `others`: it has
   * more of them. Answers what must be taken for lost.
   */
  socketGone(accountKey: number, gone: { isClean: boolean; heardAt: number; others: boolean }): QueuedMessage[] {
    const entry = this.#entries.get(accountKey);
    if (!entry) return [];
    const isConfirmed = gone.isClean || gone.heardAt > entry.heardAt;
    if (gone.others && !isConfirmed) return [];
    this.#entries.delete(accountKey);
    return isConfirmed ? [] : entry.messages.slice(-MOST_UNCONFIRMED);
  }
}
