import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Caller } from '../call.ts';
import { ServiceError } from '../errors.ts';
import type { Hub, Receiver, View } from '../events/hub.ts';
import { socketError, socketReply, toServiceError } from '../json-reply.ts';
import { type Run, textFrame } from './frames.ts';

/** Past this much unsent, frames are skipped: the next `prev` tells (SOCKET-9). */
const SKIP_BYTES = 1024 * 1024;
const MAX_UNSENT_REPLY_BYTES = 8 * 1024 * 1024;
const MAX_SLOW_MS = 30_000;
/** Silence that means a dead connection (SOCKET-8). */
const MAX_SILENCE_MS = 75_000;
const MAX_IN_FLIGHT = 256;

export type CallMethod = (session: SocketSession, method: string, params: unknown) => Promise<string | undefined>;

/** A reply without an id waits until those before it have gone out. */
interface OrderedReply {
  text: string | null;
}

export interface SessionParts {
  socket: WebSocket;
  stream: Duplex;
  caller: Caller;
  address: string;
  classes: number;
  now: number;
  call: CallMethod;
  hub: Hub;
}

/** One live socket: its requests, its replies, its frames, its pace. */
export class SocketSession implements Receiver {
  readonly id = randomUUID();
  readonly caller: Caller;
  readonly address: string;
  readonly classes: number;
  /** Milliseconds of the service's clock: the last sign of life of the other side. */
  heardAt: number;
  view: View | null = null;
  served: Run | null = null;
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  readonly #call: CallMethod;
  readonly #hub: Hub;
  #inFlight = 0;
  #backlog: Buffer[] | null = null;
  #ordered: OrderedReply[] | null = null;
  #outbox: Buffer[] | null = null;
  #unsentReplies = 0;
  #slowSince = 0;
  #paused = false;

  constructor({ socket, stream, caller, address, classes, now, call, hub }: SessionParts) {
    this.#socket = socket;
    this.#stream = stream;
    this.caller = caller;
    this.address = address;
    this.classes = classes;
    this.heardAt = now;
    this.#call = call;
    this.#hub = hub;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === 1;
  }

  /** Joins the hub; hello goes out before any frame. */
  greet(hello: (head: number) => string): void {
    const view = this.#hub.connect(this.caller.key, this.classes, this);
    this.view = view;
    this.#stream.write(textFrame(hello(view.last)));
  }

  sendFrames(bytes: Buffer): void {
    if (this.#stream.writableLength > SKIP_BYTES) return;
    if (this.isOpen) this.#stream.write(bytes);
  }

  /** A frame for this socket alone, outside the log. */
  sendText(text: string): void {
    if (this.isOpen && this.#stream.writableLength <= SKIP_BYTES) this.#stream.write(textFrame(text));
  }

  receive(data: Buffer, isBinary: boolean): void {
    if (isBinary) return this.close(1003, 'binary frames are not understood');
    // What one chunk brought beyond the bound waits here; no further chunk is read meanwhile.
    if (this.#inFlight >= MAX_IN_FLIGHT || this.#backlog) (this.#backlog ??= []).push(data);
    else this.#handle(data);
    this.#regulate();
  }

  close(code: number, reason: string): void {
    this.#backlog = null;
    this.#socket.close(code, reason);
  }

  terminate(): void {
    this.#socket.terminate();
  }

  ping(): void {
    if (this.isOpen) this.#socket.ping();
  }

  /** Called about once a second: ends sockets that are dead or too slow. Answers whether the socket may stay. */
  check(now: number): boolean {
    if (now - this.heardAt > MAX_SILENCE_MS) {
      this.terminate();
      return false;
    }
    const isSlow = this.#stream.writableLength > SKIP_BYTES;
    if (!isSlow) this.#slowSince = 0;
    else if (this.#slowSince === 0) this.#slowSince = now;
    else if (now - this.#slowSince > MAX_SLOW_MS) {
      this.close(1013, 'too slow');
      this.terminate();
      return false;
    }
    this.#regulate();
    return true;
  }

  #handle(data: Buffer): void {
    let request: unknown;
    try {
      request = JSON.parse(data.toString());
    } catch {
      return this.close(1007, 'not JSON');
    }
    const { id, slot, problem, method, params } = this.#read(request);
    if (problem || method === undefined) return this.#reply(slot, socketError(id, problem ?? noRequest()));
    this.#inFlight += 1;
    this.#call(this, method, params).then(
      (result) => this.#end(slot, socketReply(id, result)),
      (error: unknown) => this.#end(slot, socketError(id, toServiceError(error))),
    );
  }

  #read(request: unknown) {
    const isObject = typeof request === 'object' && request !== null && !Array.isArray(request);
    // An object of JSON.parse: its fields are unknown values.
    const { id, method, params } = (isObject ? request : {}) as { id?: unknown; method?: unknown; params?: unknown };
    const usable = typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id)) ? id : undefined;
    let slot: OrderedReply | null = null;
    if (usable === undefined) (this.#ordered ??= []).push((slot = { text: null }));
    const problem =
      id !== undefined && usable === undefined
        ? new ServiceError('invalid_argument', 'id must be a string or a number', { field: 'id' })
        : typeof method !== 'string'
          ? noRequest()
          : params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params))
            ? new ServiceError('invalid_argument', 'params must be an object', { field: 'params' })
            : null;
    return { id: usable, slot, problem, method: typeof method === 'string' ? method : undefined, params };
  }

  #end(slot: OrderedReply | null, text: string): void {
    this.#inFlight -= 1;
    this.#reply(slot, text);
    const backlog = this.#backlog;
    while (backlog && backlog.length > 0 && this.#inFlight < MAX_IN_FLIGHT) {
      const data = backlog.shift();
      if (data) this.#handle(data);
    }
    if (backlog?.length === 0) this.#backlog = null;
    if (this.#paused) this.#regulate();
  }

  #reply(slot: OrderedReply | null, text: string): void {
    if (!slot) return this.#post(text);
    slot.text = text;
    while (this.#ordered?.[0] && this.#ordered[0].text !== null) this.#post(this.#ordered.shift()?.text ?? '');
  }

  #post(text: string): void {
    if (!this.#outbox) {
      this.#outbox = [];
      this.#hub.reply(this);
    }
    this.#outbox.push(textFrame(text));
  }

  sendReplies(frames: Buffer | null): void {
    const outbox = this.#outbox;
    this.#outbox = null;
    if (!this.isOpen) return;
    if (frames) this.#stream.cork();
    if (outbox) this.#write(outbox.length === 1 && outbox[0] ? outbox[0] : Buffer.concat(outbox));
    if (frames) {
      this.sendFrames(frames);
      this.#stream.uncork();
    }
    if (Math.min(this.#unsentReplies, this.#stream.writableLength) > MAX_UNSENT_REPLY_BYTES) {
      this.close(1013, 'replies are not read');
      this.terminate();
    } else this.#regulate();
  }

  #write(replies: Buffer): void {
    this.#unsentReplies += replies.length;
    this.#stream.write(replies, () => {
      this.#unsentReplies -= replies.length;
      if (this.#paused) this.#regulate();
    });
  }

  /** A socket is not read while it has too much under way, or its replies are unsent (SOCKET-10). */
  #regulate(): void {
    const unread = this.#unsentReplies > 0 && this.#stream.writableLength > this.#stream.writableHighWaterMark;
    const busy = this.#inFlight >= MAX_IN_FLIGHT || this.#backlog !== null || unread;
    if (busy === this.#paused || !this.isOpen) return;
    this.#paused = busy;
    if (busy) this.#socket.pause();
    else this.#socket.resume();
  }
}

const noRequest = () => new ServiceError('invalid_argument', 'a request is { id?, method, params? }');
