import type { Actor } from '@parley/protocol';
import type { Clock, Timer } from '../core/clock.ts';
import type { SharedEvent } from '../log/batch-payload.ts';
import type { TransientEvent } from '../log/event-log.ts';
import { chatScope, scopeKey } from '../core/event-kinds.ts';
import type { Awaitable } from '../store/sql.ts';

/** How long a human counts as typing after the last typing action (TYPING-3). */
const LAPSE_MS = 6_000;

export interface TypingPlace {
  chatKey: number;
  chatId: string;
  channelId: string | null;
  threadRootId: string | null;
  accountKey: number;
  actor: Actor;
}

interface Told {
  channel_id: string | null;
  thread_root_id: string | null;
}

interface Typing {
  place: TypingPlace;
  timer: Timer | null;
}

interface Ports {
  clock: Clock;
  publish: (event: TransientEvent) => void;
  /** True for an account with a live socket, on any node. */
  isLive: (accountKey: number) => Awaitable<boolean>;
}

/** Who is typing where. An agent's typing lasts as long as its turn and does not lapse. */
export class TypingIndicators {
  readonly #ports: Ports;
  /** account → timeline → typing. */
  readonly #byAccount = new Map<number, Map<string, Typing>>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Shows a human as typing in one timeline, for 6 s. */
  start(place: TypingPlace): void {
    let places = this.#byAccount.get(place.accountKey);
    if (!places) this.#byAccount.set(place.accountKey, (places = new Map()));
    const key = timelineId(place);
    const known = places.get(key);
    known?.timer?.cancel();
    places.set(key, { place, timer: this.#ports.clock.setTimer(() => this.stop(place), LAPSE_MS) });
    this.announce(place, true);
  }

  /** Ends typing. Publishes the end even if the account was not shown as typing, because the caller requested it. */
  stop(place: TypingPlace): void {
    this.#forget(place.accountKey, timelineId(place));
    this.announce(place, false);
  }

  /** Called when another node publishes the account's typing, or its end: from now on that node publishes the end. */
  heard({ scope, params, except = 0 }: SharedEvent): void {
    const { channel_id: channelId, thread_root_id: threadRootId } = JSON.parse(params) as Told; // the params as `announce` publishes them
    this.#forget(except, timelineId({ chatKey: scopeKey(scope), channelId, threadRootId }));
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
    if (before.size === 0 || (await this.#ports.isLive(accountKey))) return;
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

  announce({ chatKey, chatId, channelId, threadRootId, accountKey, actor }: TypingPlace, isTyping: boolean): void {
    const params = {
      conversation_id: chatId,
      channel_id: channelId,
      thread_root_id: threadRootId,
      actor,
      is_typing: isTyping,
    };
    this.#ports.publish({
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

const timelineId = ({
  chatKey,
  channelId,
  threadRootId,
}: Pick<TypingPlace, 'chatKey' | 'channelId' | 'threadRootId'>): string =>
  `${chatKey}/${channelId ?? ''}/${threadRootId ?? ''}`;
