import type { Client } from '@parley/client';
import type { Price } from '@parley/protocol';

/** How long questions are collected, so that a pointer that crosses many replies causes one call. */
const COLLECT_MS = 100;
/** Maximum number of remembered prices; above it all are forgotten. */
const MAX_KEPT = 500;
/** Maximum number of messages in a call. */
const MAX_ASKED = 100;

type Answer = PromiseWithResolvers<readonly Price[]>;

/** What the user has paid for replies: asked for in groups, each reply once. */
class ReplyPrices {
  readonly #client: Client;
  readonly #kept = new Map<string, Answer>();
  #asked = new Map<string, Answer>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** `version` changes when the reply is continued, which costs more. Resolves with none if the call fails. */
  of(messageId: string, version: string): Promise<readonly Price[]> {
    const name = `${messageId} ${version}`;
    const kept = this.#kept.get(name);
    if (kept) return kept.promise;
    const answer = Promise.withResolvers<readonly Price[]>();
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(name, answer);
    if (this.#asked.size === 0) setTimeout(() => void this.#ask(), COLLECT_MS);
    this.#asked.set(messageId, answer);
    if (this.#asked.size >= MAX_ASKED) void this.#ask();
    return answer.promise;
  }

  async #ask(): Promise<void> {
    const asked = this.#asked;
    if (asked.size === 0) return;
    this.#asked = new Map();
    try {
      const { items } = await this.#client.call('getReplyPrices', { message_ids: [...asked.keys()] });
      for (const { message_id, prices } of items) asked.get(message_id)?.resolve(prices);
    } catch {
      // Ask again when the reply is pointed at the next time, or after a reconnect.
      const failed = new Set(asked.values());
      for (const [name, answer] of this.#kept) if (failed.has(answer)) this.#kept.delete(name);
    }
    for (const answer of asked.values()) answer.resolve([]);
  }
}

const ofClients = new WeakMap<Client, ReplyPrices>();

export function replyPrices(client: Client): ReplyPrices {
  let prices = ofClients.get(client);
  if (!prices) ofClients.set(client, (prices = new ReplyPrices(client)));
  return prices;
}
