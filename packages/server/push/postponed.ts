import { joinMessages, type QueuedMessage } from './queued-message.ts';
import type { Settling } from './settling.ts';

/** A token's position in the order in which recipients are found. */
export interface Place {
  accountKey: number;
  tokenKey: number;
}

/** A lookup of recipients: for all participants of a conversation, for one, or for those a full service refused. */
export interface Lookup {
  chatKey: number;
  messages: readonly QueuedMessage[];
  /** Restricts the lookup to one account; null for all. */
  accountKey: number | null;
  /** Restricts the lookup to the tokens of one service from this position on; null for all. */
  rest: { service: string; from: Place } | null;
}

interface Rest extends Lookup {
  rest: { service: string; from: Place };
}

/** Maximum number of conversations that wait for one service. */
const MAX_PER_SERVICE = 10_000;

/**
 * Lookups that met a full service. Only the position to resume from is remembered: the recipients are found again in
 * the store, where the rows of their messages are kept until then (PUSH-13).
 */
export class Postponed {
  readonly #settling: Pick<Settling, 'need' | 'end'>;
  readonly #byService = new Map<string, Map<string, Rest>>();
  /** Number of lookups dropped because too many were already postponed. */
  dropped = 0;

  constructor(settling: Pick<Settling, 'need' | 'end'>) {
    this.#settling = settling;
  }

  get size(): number {
    let size = 0;
    for (const rests of this.#byService.values()) size += rests.size;
    return size;
  }

  /** True if a postponed lookup will reach this token when the service has room; the messages then join that lookup. */
  takesIn(service: string, lookup: Lookup, place: Place): boolean {
    const rests = this.#byService.get(service);
    if (!rests) return false;
    const known = [rests.get(keyOf(lookup.chatKey, null)), rests.get(keyOf(lookup.chatKey, lookup.accountKey))];
    const rest = known.find((other) => other && !isBefore(place, other.rest.from));
    if (rest) this.#join(rest, lookup.messages);
    return rest !== undefined;
  }

  /** Postpones a lookup from this position on, because the service is full. */
  add(service: string, lookup: Lookup, place: Place): void {
    const { chatKey, accountKey, messages } = lookup;
    let rests = this.#byService.get(service);
    if (!rests) this.#byService.set(service, (rests = new Map()));
    const key = keyOf(chatKey, accountKey);
    const known = rests.get(key);
    if (known) {
      // The new position is earlier: from a later one, `takesIn` would have joined this lookup.
      known.rest.from = place;
      this.#join(known, messages);
    } else if (rests.size >= MAX_PER_SERVICE) this.dropped += 1;
    else {
      const rest: Rest = { chatKey, accountKey, messages: [], rest: { service, from: place } };
      rests.set(key, rest);
      this.#join(rest, messages);
    }
  }

  /** Removes and returns the lookup that has waited longest for the service. The caller must end its messages. */
  take(service: string): Rest | undefined {
    const rests = this.#byService.get(service);
    const [first] = rests ?? [];
    if (!rests || !first) return undefined;
    rests.delete(first[0]);
    if (rests.size === 0) this.#byService.delete(service);
    return first[1];
  }

  #join(rest: Rest, messages: readonly QueuedMessage[]): void {
    if (rest.messages.at(-1)?.messageKey === messages.at(-1)?.messageKey) return;
    this.#settling.need(messages);
    const { kept, left } = joinMessages(
      rest.messages,
      messages.map((message) => ({ ...message, isLate: true })),
    );
    rest.messages = kept;
    this.#settling.end(left);
  }
}

const keyOf = (chatKey: number, accountKey: number | null): string => `${chatKey}:${accountKey ?? ''}`;

export const isBefore = (one: Place, other: Place): boolean =>
  one.accountKey === other.accountKey ? one.tokenKey < other.tokenKey : one.accountKey < other.accountKey;
