import type { EventName, EventParams, Frame, Message } from '@parley/protocol';
import type { ClientEventName, ClientEvents, EventContext } from './event-names.ts';
import { OpenReplies, type OpenRepliesParts } from './open-replies.ts';

interface FrameReaderParts extends Omit<OpenRepliesParts, 'onText'> {
  emit: <Name extends ClientEventName>(name: Name, params: ClientEvents[Name], context: EventContext) => void;
  isOwn: (message: Message) => boolean;
  /** A message from this account arrived as an event, so the outbox can stop sending it. */
  onOwnMessage: (message: Message) => void;
}

/** Converts frames of the log into events for listeners. */
export class FrameReader {
  readonly #parts: FrameReaderParts;
  readonly #replies: OpenReplies;
  #context: EventContext = { isReplay: false };

  constructor(parts: FrameReaderParts) {
    this.#parts = parts;
    this.#replies = new OpenReplies({
      ...parts,
      onText: (message) => parts.emit('messageStreaming', message, this.#context),
    });
  }

  read({ method, params, seq, prev }: Frame, isReplay: boolean): void {
    const name = method.replace(/^events\./, '');
    this.#context = { isReplay };
    try {
      // The service sends declared params. An event unknown to this client has no listeners.
      this.#readEvent(name as EventName, params as never, seq === prev);
    } finally {
      this.#context = { isReplay: false };
    }
  }

  adopt(message: Message): Message {
    return this.#replies.adopt(message);
  }

  reconnected(): void {
    this.#replies.reconnected();
  }

  forget(): void {
    this.#replies.forget();
  }

  #readEvent<Name extends EventName>(
    name: Name,
    params: EventParams<EventName> & EventParams<Name>,
    isOutside: boolean,
  ): void {
    const event = { name, params } as NamedEvent; // `params` belong to `name`
    switch (event.name) {
      case 'hello':
      case 'tick':
        return undefined;
      case 'messageDelta':
        return this.#replies.append(event.params);
      case 'messageDraftPatch':
        return this.#replies.patch(event.params);
      case 'messagePart':
        return this.#replies.part(event.params);
      case 'messageNew':
        return this.#readMessage(event.params, isOutside);
      case 'messageComplete':
        this.#replies.end(event.params.id, event.params.content_revision);
        break;
      case 'messageDeleted':
        for (const id of event.params.ids) this.#replies.end(id, Infinity);
        break;
      case 'conversationRemoved':
        this.#replies.leave(event.params.conversation_id);
        break;
      default:
    }
    return this.#parts.emit(event.name, event.params, this.#context);
  }

  #readMessage(message: Message, isOutside: boolean): void {
    if (isOutside && this.#replies.isOutdated(message)) return undefined;
    if (message.status === 'streaming') {
      const isFirst = this.#replies.open(message);
      if (isFirst) return this.#parts.emit('messageNew', message, this.#context);
      return this.#parts.emit('messageStreaming', message, { ...this.#context, isWhole: true });
    }
    this.#parts.emit('messageNew', message, this.#context);
    if (message.client_msg_id !== undefined && this.#parts.isOwn(message)) this.#parts.onOwnMessage(message);
    return undefined;
  }
}

type NamedEvent = { [Name in EventName]: { name: Name; params: EventParams<Name> } }[EventName];
