import type { EventName, EventParams, Message } from '@parley/protocol';

/** Events of the wire as they are, and what the client makes of the rest. */
export type ClientEvents = {
  [Name in Exclude<EventName, 'hello' | 'tick' | 'messageDelta' | 'messageDraftPatch'>]: EventParams<Name>;
} & {
  /** The text of a reply has grown or changed: the whole Message so far. Deltas and patches are never told raw. */
  messageStreaming: Message;
  /** Too much was missed: whatever is shown has to be loaded anew. Events go on from here. */
  reload: { head: number };
  /** A message of the outbox is stored. `message` is absent where another tab has sent it. */
  sent: { client_msg_id: string; message?: Message };
};
export type ClientEventName = keyof ClientEvents;

/** How an event came. */
export interface EventContext {
  /** It was missed, and fetched. */
  readonly isReplay: boolean;
  /** Of `messageStreaming`: the whole Message was sent anew. Of any other its text alone is news. */
  readonly isWhole?: boolean;
}

export type ClientListener<Name extends ClientEventName> = (params: ClientEvents[Name], context: EventContext) => void;

/** Listeners by event. What one throws is nobody else's loss. */
export class Listeners {
  readonly #byName = new Map<string, Set<(params: never, context: EventContext) => void>>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  add<Name extends ClientEventName>(name: Name, listener: ClientListener<Name>): () => void {
    const own: ClientListener<Name> = (params, context) => listener(params, context);
    const listeners = this.#byName.get(name) ?? new Set();
    this.#byName.set(name, listeners.add(own));
    return () => void listeners.delete(own);
  }

  tell<Name extends ClientEventName>(
    name: Name,
    params: ClientEvents[Name],
    context: EventContext = { isReplay: false },
  ): void {
    for (const listener of Array.from(this.#byName.get(name) ?? []))
      try {
        // Whoever was added under this name takes its params.
        (listener as ClientListener<Name>)(params, context);
      } catch (error) {
        this.#onError(error);
      }
  }
}
