import { randomBytes, randomUUID } from 'node:crypto';

/** Clients must mask frames; the value of the mask does not affect the server's work. */
const mask = randomBytes(4);

/** A masked text frame. */
export function clientFrame(text: string): Buffer {
  const payloadBytes = Buffer.byteLength(text);
  if (payloadBytes > 65_535) throw new RangeError(`a request of ${payloadBytes} bytes is too long for the load`);
  const headerBytes = payloadBytes < 126 ? 6 : 8;
  const frame = Buffer.allocUnsafe(headerBytes + payloadBytes);
  frame[0] = 0x81;
  if (headerBytes === 6) frame[1] = 0x80 | payloadBytes;
  else {
    frame[1] = 0x80 | 126;
    frame.writeUInt16BE(payloadBytes, 2);
  }
  mask.copy(frame, headerBytes - 4);
  frame.write(text, headerBytes);
  for (let index = 0; index < payloadBytes; index++) {
    frame[headerBytes + index] = (frame[headerBytes + index] ?? 0) ^ (mask[index & 3] ?? 0);
  }
  return frame;
}

export function pongFrame(payload: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(6 + payload.length);
  frame[0] = 0x8a;
  frame[1] = 0x80 | payload.length;
  mask.copy(frame, 2);
  for (let index = 0; index < payload.length; index++)
    frame[6 + index] = (payload[index] ?? 0) ^ (mask[index & 3] ?? 0);
  return frame;
}

/** Shared by the whole process, so that no two requests have the same id or `client_msg_id`. */
let lastRequestId = 1_000_000_000;
const processTag = randomUUID().slice(0, 8);

function nextRequestId(): number {
  return ++lastRequestId;
}

/** A source of requests: whole frames, ready to write. */
export interface RequestSource {
  next(): Buffer;
}

/** `messages.send` of one text, masked once; only the digits of the two ids are rewritten. */
export class SendRequests implements RequestSource {
  readonly #template: Buffer;
  readonly #idPlaces: number[];

  constructor(conversationId: string, content: string) {
    const zeros = '0000000000';
    const id = `"id":${zeros}`;
    const clientId = `"client_msg_id":"${processTag}${zeros}`;
    const text = `{${id},"method":"messages.send","params":{"conversation_id":${JSON.stringify(conversationId)},${clientId}","content":${JSON.stringify(content)}}}`;
    this.#template = clientFrame(text);
    const headerBytes = this.#template.length - Buffer.byteLength(text);
    this.#idPlaces = [1 + id.length - zeros.length, text.indexOf(clientId) + clientId.length - zeros.length].map(
      (place) => headerBytes + place,
    );
  }

  next(): Buffer {
    const frame = Buffer.from(this.#template);
    const id = nextRequestId();
    for (const place of this.#idPlaces) {
      let rest = id;
      for (let index = place + 9; index >= place; index--) {
        // The template holds a masked "0" here: XOR with a digit's value makes it that digit, masked.
        frame[index] = (frame[index] ?? 0) ^ (rest % 10);
        rest = Math.floor(rest / 10);
      }
    }
    return frame;
  }
}

/** `messages.send` of a text that changes with each message. */
export function sendRequest(conversationId: string, content: string): Buffer {
  const id = nextRequestId();
  return clientFrame(
    `{"id":${id},"method":"messages.send","params":{"conversation_id":${JSON.stringify(conversationId)},"client_msg_id":"${processTag}${id}","content":${JSON.stringify(content)}}}`,
  );
}

/** `getUpdates` after the number that a hello has brought. */
export function updatesRequest(since: number): Buffer {
  return clientFrame(`{"id":${nextRequestId()},"method":"getUpdates","params":{"since":${since}}}`);
}

/** The body of `POST /api/sendMessage`. */
export function sendMessageBody(chatId: string, text: string): string {
  return `{"chat_id":${JSON.stringify(chatId)},"client_msg_id":"${processTag}${nextRequestId()}","text":${JSON.stringify(text)}}`;
}

/** What grows in a stream. */
export type Growing = 'text' | 'reasoning';

/** Length of each open stream, kept across rounds, because a stream only grows. */
const streamBytes = new Map<string, number>();

export function appendRequest(messageId: string, delta: string, growing: Growing = 'text'): Buffer {
  const isThought = growing === 'reasoning';
  const place = isThought ? `thoughts of ${messageId}` : messageId;
  const offset = (streamBytes.get(place) ?? 0) + Buffer.byteLength(delta);
  streamBytes.set(place, offset);
  const more = JSON.stringify(delta);
  const growth = isThought
    ? `"part":{"id":"1","type":"reasoning","append":${more},"text_offset":${offset}}`
    : `"delta":${more},"offset":${offset}`;
  return clientFrame(
    `{"id":${nextRequestId()},"method":"streams.append","params":{"message_id":"${messageId}",${growth}}}`,
  );
}

/** `streams.append` to several open streams in turn. */
export class AppendRequests implements RequestSource {
  readonly #messageIds: readonly string[];
  readonly #delta: string;
  #turn = 0;

  constructor(messageIds: readonly string[], delta: string) {
    this.#messageIds = messageIds;
    this.#delta = delta;
  }

  next(): Buffer {
    return appendRequest(this.#messageIds[this.#turn++ % this.#messageIds.length] ?? '', this.#delta);
  }
}
