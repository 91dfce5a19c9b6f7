import type { EventName, EventParams, Message } from '@parley/protocol';
import type { ApiError } from './api.ts';
import type { Change } from './outbox.ts';

/** Events of the wire, plus those that the client derives from them. */
export type ClientEvents = {
  [
    Name in Exclude<EventName, 'hello' | 'tick' | 'messageDelta' | 'messageDraftPatch' | 'messagePart'>
  ]: EventParams<Name>;
} & {
  /** The text or parts of a streaming reply changed: the whole Message so far. Single changes are not delivered. */
  messageStreaming: Message;
  /** Too many events were missed: the app must reload what it shows. Later events are delivered as usual. */
  reload: { head: number };
  /** A message of the outbox was stored. `message` is absent if another tab sent it. */
  sent: { client_msg_id: string; message?: Message };
  /** The service has refused a change of the outbox. */
  changeRefused: { client_msg_id: string; chat_id: string; change: Change; error: ApiError };
};
export type ClientEventName = keyof ClientEvents;

/** How an event was received. */
export interface EventContext {
  /** The event was missed while disconnected and fetched afterwards. */
  readonly isReplay: boolean;
  /** For `messageStreaming`: the whole Message was sent again; otherwise only its text and parts have changed. */
  readonly isWhole?: boolean;
}

export type ClientListener<Name extends ClientEventName> = (params: ClientEvents[Name], context: EventContext) => void;

/** Listeners of one kind. An error in one does not affect the others. */
export class ListenerSet<Args extends unknown[]> {
  readonly #all = new Set<(...args: Args) => void>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  add(listener: (...args: Args) => void): () => void {
    const own = (...args: Args): void => listener(...args);
    this.#all.add(own);
    return () => void this.#all.delete(own);
  }

  emit(...args: Args): void {
    for (const listener of Array.from(this.#all))
      try {
        listener(...args);
      } catch (error) {
        this.#onError(error);
      }
  }
}

/** Listeners by event. */
export class Listeners {
  readonly #byName = new Map<string, ListenerSet<[params: never, context: EventContext]>>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  add<Name extends ClientEventName>(name: Name, listener: ClientListener<Name>): () => void {
    // Without types a listener for the name of the wire would wait for ever.
    if (name.startsWith('events.'))
      throw new TypeError(`listen for "${name.slice('events.'.length)}", not for "${name}"`);
    const listeners = this.#byName.get(name) ?? new ListenerSet(this.#onError);
    this.#byName.set(name, listeners);
    return listeners.add(listener);
  }

  emit<Name extends ClientEventName>(
    name: Name,
    params: ClientEvents[Name],
    context: EventContext = { isReplay: false },
  ): void {
    // Listeners added under this name take the params of this event.
    this.#byName.get(name)?.emit(params as never, context);
  }
}
