import type { QueuedMessage } from './queued-message.ts';

/** Maximum messages pushed after a connection turned out to be dead; the app fetches the rest when it is opened. */
export const MAX_UNCONFIRMED = 50;

interface Sent {
  /** A sign of life later than this confirms the messages. */
  since: number;
  messages: QueuedMessage[];
}

/** Messages sent to live accounts since their last sign of life; pushed after all if no other follows (PUSH-9). */
export class Unconfirmed {
  readonly #sinceOf: (accountKey: number, heardAt: number) => number;
  /** By account, in the order of sending. */
  readonly #sent = new Map<number, Sent[]>();

  /** `sinceOf` gives the time from which a sign of life confirms; by default the last sign of life. */
  constructor(sinceOf = (_accountKey: number, heardAt: number): number => heardAt) {
    this.#sinceOf = sinceOf;
  }

  /** Records messages sent to a live account, except its own. */
  note(accountKey: number, heardAt: number, messages: readonly QueuedMessage[]): void {
    const others = messages.filter(({ senderKey }) => senderKey !== accountKey);
    if (others.length === 0) return;
    const sent = (this.#sent.get(accountKey) ?? []).filter(({ since }) => since >= heardAt);
    const since = this.#sinceOf(accountKey, heardAt);
    const last = sent.at(-1);
    if (last?.since === since) last.messages.push(...others);
    else sent.push({ since, messages: others });
    this.#sent.set(accountKey, newest(sent));
  }

  /** Removes and returns everything, for a service that stops: no further sign of life will arrive. */
  takeAll(): [accountKey: number, messages: QueuedMessage[]][] {
    const all = [...this.#sent].map(([key, sent]): [number, QueuedMessage[]] => [key, messagesOf(sent)]);
    this.#sent.clear();
    return all;
  }

  /**
   * Called when a socket of the account has closed. `heardAt` is when the account was last heard from over any socket;
   * `others` says whether it has more. Returns the messages that count as lost.
   */
  socketGone(accountKey: number, gone: { isClean: boolean; heardAt: number; others: boolean }): QueuedMessage[] {
    const sent = this.#sent.get(accountKey);
    if (!sent) return [];
    const left = gone.isClean ? [] : sent.filter(({ since }) => since >= gone.heardAt);
    if (gone.others && left.length > 0) {
      this.#sent.set(accountKey, left);
      return [];
    }
    this.#sent.delete(accountKey);
    return messagesOf(left).slice(-MAX_UNCONFIRMED);
  }
}

const messagesOf = (sent: readonly Sent[]): QueuedMessage[] => sent.flatMap(({ messages }) => messages);

/** Drops the oldest messages if there are far too many. */
function newest(sent: Sent[]): Sent[] {
  const count = sent.reduce((sum, { messages }) => sum + messages.length, 0);
  if (count <= 2 * MAX_UNCONFIRMED) return sent;
  let room = MAX_UNCONFIRMED;
  const kept: Sent[] = [];
  for (const { since, messages } of sent.toReversed()) {
    if (room <= 0) break;
    kept.unshift({ since, messages: messages.slice(-room) });
    room -= messages.length;
  }
  return kept;
}
