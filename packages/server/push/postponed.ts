import { joinMessages, type QueuedMessage } from './queued-message.ts';
import type { Settling } from './settling.ts';

/** A token's place in the order in which recipients are found. */
export interface Place {
  accountKey: number;
  tokenKey: number;
}

/** Whom messages of a conversation are pushed to: all of its participants or one, or what a service had no room for. */
export interface Look {
  chatKey: number;
  messages: readonly QueuedMessage[];
  /** Null for all. */
  accountKey: number | null;
  /** Tokens of this service alone, from this place on; null for all. */
  rest: { service: string; from: Place } | null;
}

interface Rest extends Look {
  rest: { service: string; from: Place };
}

/** More conversations than this do not wait for one service. */
const MAX_PER_SERVICE = 10_000;

/**
 * Looks that met a full service. Only from whom on they have to be gone on with is remembered: who that is, is found
 * again in the store, where the rows of their messages stay meanwhile (PUSH-13).
 */
export class Postponed {
  readonly #settling: Pick<Settling, 'need' | 'end'>;
  readonly #byService = new Map<string, Map<string, Rest>>();
  /** Looks for which there was no room here either. */
  dropped = 0;

  constructor(settling: Pick<Settling, 'need' | 'end'>) {
    this.#settling = settling;
  }

  get size(): number {
    let size = 0;
    for (const rests of this.#byService.values()) size += rests.size;
    return size;
  }

  /** True when this place waits for its service already: then it is told of the look's messages when its turn comes. */
  takesIn(service: string, look: Look, place: Place): boolean {
    const rests = this.#byService.get(service);
    if (!rests) return false;
    const known = [rests.get(keyOf(look.chatKey, null)), rests.get(keyOf(look.chatKey, look.accountKey))];
    const rest = known.find((other) => other && !isBefore(place, other.rest.from));
    if (rest) this.#join(rest, look.messages);
    return rest !== undefined;
  }

  /** The service has no room: the look goes on from this place when it has. */
  add(service: string, look: Look, place: Place): void {
    const { chatKey, accountKey, messages } = look;
    let rests = this.#byService.get(service);
    if (!rests) this.#byService.set(service, (rests = new Map()));
    const key = keyOf(chatKey, accountKey);
    const known = rests.get(key);
    if (known) {
      // The place lies before: what lies behind has been taken in.
      known.rest.from = place;
      this.#join(known, messages);
    } else if (rests.size >= MAX_PER_SERVICE) this.dropped += 1;
    else {
      const rest: Rest = { chatKey, accountKey, messages: [], rest: { service, from: place } };
      rests.set(key, rest);
      this.#join(rest, messages);
    }
  }

  /** What has waited longest for the service. Whoever takes it has its messages to end. */
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
