import { ApiError } from '@parley/client';
import {
  type Account,
  type ErrorCode,
  type EventName,
  type EventParams,
  errorStatus,
  type SocketErrorBody,
} from '@parley/protocol';
import { WebSocket } from 'ws';
import { FrameChain, type ReceivedFrame } from '../model/frame-chain.ts';
import { Waits } from './waits.ts';

export interface Hello {
  params: Account;
  head: number;
  socket: string;
  feature_level: number;
}

interface SocketReply {
  id?: string | number;
  ok: boolean;
  result?: unknown;
  error?: SocketErrorBody['error'];
}

interface SocketOptions {
  /** The service's http address. */
  url: string;
  token: string;
  caps: string;
  /** Called with the socket after hello, before any frame. */
  onOpen?: ((socket: TestSocket) => void) | undefined;
  /** Called with each frame of the log, in order. */
  onFrame?: ((frame: ReceivedFrame) => void) | undefined;
  /** Called with the head of each tick. */
  onTick?: ((head: number) => void) | undefined;
  /** Called with the text of every message, before it is handled. */
  onText?: ((text: string) => void) | undefined;
}

/** A live socket of a test: records what it receives, and checks the chain of the log. */
export class TestSocket {
  readonly hello: Hello;
  readonly caps: string;
  readonly frames: ReceivedFrame[] = [];
  /** The heads from `events.tick`. */
  readonly ticks: number[] = [];
  /** Replies to requests sent without `rpc`, in order of arrival. */
  readonly replies: SocketReply[] = [];
  /** Checks the frames; violations are recorded in `problems`, with which the world fails at its end. */
  readonly chain: FrameChain;
  /** Resolves when the socket is closed by either side. */
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #socket: WebSocket;
  readonly #on: Pick<SocketOptions, 'onFrame' | 'onTick'>;
  readonly #waits = new Waits(() => this.#summary());
  readonly #calls = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  /** Resolves after hello; rejects with an ApiError if the upgrade is refused. */
  static async open({ url, token, caps, onOpen, onFrame, onTick, onText }: SocketOptions): Promise<TestSocket> {
    const address = new URL('/api/ws', url.replace(/^http/, 'ws'));
    address.searchParams.set('token', token);
    if (caps !== '') address.searchParams.set('caps', caps);
    const socket = new WebSocket(address, { perMessageDeflate: false });
    const opened = Promise.withResolvers<TestSocket>();
    socket.once('unexpected-response', (_request, response) => {
      opened.reject(refusal(response.statusCode ?? 0));
      response.destroy();
    });
    socket.on('error', (error) => opened.reject(error));
    socket.once('close', (code) => opened.reject(new Error(`closed with ${code} before hello`)));
    let receive = (text: string): void => {
      const hello = JSON.parse(text) as Hello; // the first message
      const session = new TestSocket(socket, caps, hello, { onFrame, onTick });
      receive = (next) => session.#receive(next);
      onOpen?.(session);
      opened.resolve(session);
    };
    socket.on('message', (data: Buffer) => {
      const text = data.toString();
      onText?.(text);
      receive(text);
    });
    return opened.promise;
  }

  private constructor(socket: WebSocket, caps: string, hello: Hello, on: Pick<SocketOptions, 'onFrame' | 'onTick'>) {
    this.#socket = socket;
    this.#on = on;
    this.caps = caps;
    this.hello = hello;
    this.chain = new FrameChain(hello.head);
    const closed = Promise.withResolvers<{ code: number; reason: string }>();
    this.closed = closed.promise;
    socket.once('close', (code, reason) => {
      const error = new Error(`the socket was closed with ${code}`);
      this.#waits.fail(error);
      for (const { reject } of this.#calls.values()) reject(error);
      closed.resolve({ code, reason: reason.toString() });
    });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Fully closed, not only closing. */
  get isClosed(): boolean {
    return this.#socket.readyState === WebSocket.CLOSED;
  }

  get isPaused(): boolean {
    return this.#socket.isPaused;
  }

  get problems(): string[] {
    return this.chain.problems.map((text) => `socket of ${this.hello.params.username} (caps "${this.caps}"): ${text}`);
  }

  /** Names of the frames so far: `messageNew` for `events.messageNew`. */
  get methods(): string[] {
    return this.frames.map(({ method }) => method.replace('events.', ''));
  }

  /** Params of all frames of an event so far. */
  all<Name extends EventName>(name: Name): EventParams<Name>[] {
    const frames = this.frames.filter(({ method }) => method === `events.${name}`);
    // The chain has validated each against its event's declaration.
    return frames.map(({ params }) => params as EventParams<Name>);
  }

  /** The first frame, past or future, that matches the predicate. */
  waitFor(predicate: (frame: ReceivedFrame) => boolean): Promise<ReceivedFrame> {
    return this.#waits.until(() => this.frames.find(predicate));
  }

  /** The params of the first event with this name, past or future, that matches `where`. */
  event<Name extends EventName>(name: Name, where: (params: EventParams<Name>) => boolean = () => true) {
    return this.#waits.until(() => this.all(name).find(where));
  }

  /** The `n`-th reply (from 1) to requests sent without `rpc`; waits for it. */
  reply(n: number): Promise<SocketReply> {
    return this.#waits.until(() => this.replies[n - 1]);
  }

  /** Calls a method and returns its result; throws an ApiError like the typed client. */
  rpc(method: string, params: object = {}): Promise<unknown> {
    if (!this.isOpen) return Promise.reject(new Error('the socket is closed'));
    const call = Promise.withResolvers<unknown>();
    this.#lastId += 1;
    this.#calls.set(this.#lastId, call);
    this.send(JSON.stringify({ id: this.#lastId, method, params }));
    return call.promise;
  }

  /** Sends any data, a valid request or not. */
  send(data: string | Buffer): void {
    this.#socket.send(data);
  }

  /** Resolves when everything that the service has written to this socket so far has arrived. */
  async caughtUp(): Promise<void> {
    let ponged = false;
    this.#socket.once('pong', () => {
      ponged = true;
      this.#waits.look();
    });
    this.#socket.ping();
    await this.#waits.until(() => ponged || undefined);
  }

  /** Stops reading: to the service this is a slow reader. */
  pause(): void {
    this.chain.mayHaveGaps = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  async close(code = 1000): Promise<void> {
    this.#socket.resume();
    this.#socket.close(code);
    await this.closed;
  }

  /** Resets the connection, like a lost network. */
  async terminate(): Promise<void> {
    this.#socket.terminate();
    await this.closed;
  }

  #receive(text: string): void {
    // The service sends JSON: a frame of the log, a tick or a reply.
    const message = JSON.parse(text) as Partial<ReceivedFrame> & Partial<SocketReply>;
    if (message.method === undefined) this.#answer(message as SocketReply);
    else if (message.method === 'events.tick') {
      const head = Number(message.params?.['head']);
      this.ticks.push(head);
      this.chain.tick(head);
      this.#on.onTick?.(head);
    } else {
      const frame = message as ReceivedFrame;
      this.chain.take(frame);
      this.frames.push(frame);
      this.#on.onFrame?.(frame);
    }
    this.#waits.look();
  }

  #answer(reply: SocketReply): void {
    const call = typeof reply.id === 'number' ? this.#calls.get(reply.id) : undefined;
    if (typeof reply.id !== 'number' || !call) return void this.replies.push(reply);
    this.#calls.delete(reply.id);
    if (reply.ok) return call.resolve(reply.result);
    const { code, message, parameters } = reply.error ?? {
      code: 'internal',
      message: 'an error reply without an error',
    };
    const body = { error_code: code, description: message, ...(parameters && { parameters }) };
    call.reject(new ApiError(errorStatus[code], body));
  }

  #summary(): string {
    const lines = this.frames
      .slice(-40)
      .map(({ seq, method, params }) => `  ${seq} ${method} ${JSON.stringify(params)}`);
    return `frames so far:\n${lines.map((line) => line.slice(0, 200)).join('\n')}`;
  }
}

function refusal(status: number): ApiError {
  const codes = Object.keys(errorStatus) as ErrorCode[]; // keys of a constant
  const code = codes.find((candidate) => errorStatus[candidate] === status) ?? 'internal';
  return new ApiError(status, { error_code: code, description: 'the upgrade was refused' });
}
