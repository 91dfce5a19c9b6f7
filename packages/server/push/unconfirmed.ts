import type { QueuedMessage } from './queued-message.ts';

/** Of what a silent connection has swallowed, the newest; the rest is found when the app is opened. */
export const MOST_UNCONFIRMED = 50;

interface Sent {
  /** A later sign of life confirms these. */
  since: number;
  messages: QueuedMessage[];
}

/** What was sent to live accounts since their last sign of life: pushed after all if there is none any more (PUSH-9). */
export class Unconfirmed {
  readonly #sinceOf: (accountKey: number, heardAt: number) => number;
  /** In the order in which it was sent. */
  readonly #sent = new Map<number, Sent[]>();

  /** `sinceOf` what is sent now: the last sign of life, where each is known as it comes. */
  constructor(sinceOf = (_accountKey: number, heardAt: number): number => heardAt) {
    this.#sinceOf = sinceOf;
  }

  /** These were sent to a live account, but for its own among them. */
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

  /** All of it, for a service that stops: nobody will give a sign of life any more. */
  takeAll(): [accountKey: number, messages: QueuedMessage[]][] {
    const all = [...this.#sent].map(([key, sent]): [number, QueuedMessage[]] => [key, messagesOf(sent)]);
    this.#sent.clear();
    return all;
  }

  /**
   * A socket of the account is gone. `heardAt`: when the account was last heard from, over any socket; `others`: it has
   * more of them. Answers what must be taken for lost.
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
    return messagesOf(left).slice(-MOST_UNCONFIRMED);
  }
}

const messagesOf = (sent: readonly Sent[]): QueuedMessage[] => sent.flatMap(({ messages }) => messages);

/** Without what is too much by far. */
function newest(sent: Sent[]): Sent[] {
  const count = sent.reduce((sum, { messages }) => sum + messages.length, 0);
  if (count <= 2 * MOST_UNCONFIRMED) return sent;
  let room = MOST_UNCONFIRMED;
  const kept: Sent[] = [];
  for (const { since, messages } of sent.toReversed()) {
    if (room <= 0) break;
    kept.unshift({ since, messages: messages.slice(-room) });
    room -= messages.length;
  }
  return kept;
}
