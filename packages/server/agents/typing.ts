import type { Actor } from '@parley/protocol';
import type { Clock, Timer } from '../core/clock.ts';
import type { OpenStream } from '../commits/effects.ts';
import type { SharedEvent } from '../log/batch-payload.ts';
import type { TransientEvent } from '../log/event-log.ts';
import { chatScope, scopeKey } from '../core/event-kinds.ts';
import type { Awaitable } from '../store/sql.ts';

/** How long a human counts as typing after the last typing action (TYPING-3). */
const LAPSE_MS = 6_000;

interface TypingPlace {
  chatKey: number;
  chatId: string;
  channelId: string | null;
  threadRootId: string | null;
  accountKey: number;
  actor: Actor;
}

/** The params as `announce` publishes them. */
interface TypingParams {
  conversation_id: string;
  channel_id: string | null;
  thread_root_id: string | null;
  actor: Actor;
  is_typing: boolean;
}

interface Typing {
  place: TypingPlace;
  timer: Timer | null;
}

interface TypingNeeds {
  clock: Clock;
  publish: (event: TransientEvent) => void;
  /** True for an account with a live socket, on any node. */
  isLive: (accountKey: number) => Awaitable<boolean>;
  /** Called before the typing of an account is published. */
  begins?: (place: TypingPlace) => void;
}

/** Who is typing where. An agent's typing lasts as long as its turn and does not lapse. */
export class TypingIndicators {
  readonly #needs: TypingNeeds;
  /** account → timeline → typing. */
  readonly #byAccount = new Map<number, Map<string, Typing>>();
  /** The humans who are typing on other nodes: if a node dies, another one ends their typing. */
  readonly #elsewhere = new Map<string, { node: number; place: TypingPlace }>();

  constructor(needs: TypingNeeds) {
    this.#needs = needs;
  }

  /** Publishes that a human is typing in one timeline; after 6 s it lapses. */
  start(place: TypingPlace): void {
    let places = this.#byAccount.get(place.accountKey);
    if (!places) this.#byAccount.set(place.accountKey, (places = new Map()));
    const key = timelineId(place);
    const known = places.get(key);
    known?.timer?.cancel();
    places.set(key, { place, timer: this.#needs.clock.setTimer(() => this.stop(place), LAPSE_MS) });
    this.announce(place, true);
  }

  /** Ends typing. Publishes the end even if no typing was published, because the caller requested it. */
  stop(place: TypingPlace): void {
    this.#forget(place.accountKey, timelineId(place));
    this.announce(place, false);
  }

  /** Called when another node publishes the account's typing, or its end: from now on that node publishes the end. */
  heard({ scope, params, except = 0 }: SharedEvent, node: number): void {
    const typing = JSON.parse(params) as TypingParams;
    const { conversation_id: chatId, channel_id: channelId, thread_root_id: threadRootId, actor } = typing;
    const place = { chatKey: scopeKey(scope), chatId, channelId, threadRootId, accountKey: except, actor };
    this.#forget(except, timelineId(place));
    const key = `${except}/${timelineId(place)}`;
    if (typing.is_typing && actor.kind === 'human') this.#elsewhere.set(key, { node, place });
    else this.#elsewhere.delete(key);
  }

  /** Ends the typing of the humans whose node has died; that of agents ends with their replies. */
  nodeGone(gone: number): void {
    for (const [key, { node, place }] of this.#elsewhere) {
      if (node !== gone) continue;
      this.#elsewhere.delete(key);
      this.announce(place, false);
    }
  }

  /** Where humans are typing whose typing this node ends; that of agents is not kept here. */
  *places(): Generator<TypingPlace> {
    for (const places of this.#byAccount.values()) for (const { place } of places.values()) yield place;
  }

  /** Whether another node has published that this human types there. */
  isElsewhere(place: Pick<TypingPlace, 'accountKey' | 'chatKey' | 'channelId' | 'threadRootId'>): boolean {
    return this.#elsewhere.has(`${place.accountKey}/${timelineId(place)}`);
  }

  /** Ends the account's typing in this chat, because it sent a message there. */
  clearChat(accountKey: number, chatKey: number): void {
    this.#clear(accountKey, (typing) => typing.place.chatKey === chatKey);
  }

  /** Ends the account's typing everywhere, because its sockets are closed. */
  clearAccount(accountKey: number): void {
    this.#clear(accountKey, () => true);
  }

  /** Called when a socket of the account closed: ends the account's typing if it was the last one on any node. */
  async socketGone(accountKey: number): Promise<void> {
    const before = new Set(this.#byAccount.get(accountKey)?.values());
    if (before.size === 0 || (await this.#needs.isLive(accountKey))) return;
    // Keep typing that began while the other nodes were asked: the account may have reconnected.
    this.#clear(accountKey, (typing) => before.has(typing));
  }

  /** Ends all typing, because this node cannot publish its end later. */
  endAll(): void {
    for (const accountKey of this.#byAccount.keys()) this.clearAccount(accountKey);
  }

  /** Updates the name of an account that is typing. */
  rename(accountKey: number, actor: Actor): void {
    for (const { place } of this.#byAccount.get(accountKey)?.values() ?? []) place.actor = actor;
  }

  /** Cancels all timers without publishing anything. */
  close(): void {
    for (const places of this.#byAccount.values()) for (const { timer } of places.values()) timer?.cancel();
    this.#byAccount.clear();
  }

  announce(place: TypingPlace, isTyping: boolean): void {
    const { chatKey, chatId, channelId, threadRootId, accountKey, actor } = place;
    if (isTyping) this.#needs.begins?.(place);
    const params: TypingParams = {
      conversation_id: chatId,
      channel_id: channelId,
      thread_root_id: threadRootId,
      actor,
      is_typing: isTyping,
    };
    this.#needs.publish({
      scope: chatScope(chatKey),
      kind: 'typing',
      params: JSON.stringify(params),
      except: accountKey,
    });
  }

  #clear(accountKey: number, isMeant: (typing: Typing) => boolean): void {
    const places = this.#byAccount.get(accountKey);
    if (!places) return;
    for (const typing of places.values()) if (isMeant(typing)) this.stop(typing.place);
  }

  #forget(accountKey: number, key: string): void {
    const places = this.#byAccount.get(accountKey);
    places?.get(key)?.timer?.cancel();
    places?.delete(key);
    if (places?.size === 0) this.#byAccount.delete(accountKey);
  }
}

/** Where an agent is typing while it writes this reply (TYPING-4). */
export const typingPlaceOf = ({ agentKey: accountKey, agent: actor, ...stream }: OpenStream): TypingPlace => {
  const { chatKey, chatId, channelId, threadRootId } = stream;
  return { chatKey, chatId, channelId, threadRootId, accountKey, actor };
};

export const timelineId = ({
  chatKey,
  channelId,
  threadRootId,
}: Pick<TypingPlace, 'chatKey' | 'channelId' | 'threadRootId'>): string =>
  `${chatKey}/${channelId ?? ''}/${threadRootId ?? ''}`;
