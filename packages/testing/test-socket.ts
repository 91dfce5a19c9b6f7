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
import { FrameChain, type ReceivedFrame } from './frame-chain.ts';
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

export interface SocketOptions {
  /** The service's http address. */
  url: string;
  token: string;
  caps: string;
  /** Given the socket as soon as hello has come, before any frame. */
  onOpen?: ((socket: TestSocket) => void) | undefined;
  /** Given each frame of the log, in order. */
  onFrame?: ((frame: ReceivedFrame) => void) | undefined;
  /** Given the head that a tick tells. */
  onTick?: ((head: number) => void) | undefined;
  /** Given every message as it came, before anything else is done with it. */
  onText?: ((text: string) => void) | undefined;
}

/** A live socket of a test: notes what comes, and whether the chain of the log holds. */
export class TestSocket {
  readonly hello: Hello;
  readonly caps: string;
  readonly frames: ReceivedFrame[] = [];
  /** The heads that `events.tick` told. */
  readonly ticks: number[] = [];
  /** Replies to requests without an id of `rpc`, in the order in which they came. */
  readonly replies: SocketReply[] = [];
  /** What was against the rules is in its `problems`; a world that ends with some fails. */
  readonly chain: FrameChain;
  /** Resolves when the socket is closed, from whichever side. */
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #socket: WebSocket;
  readonly #on: Pick<SocketOptions, 'onFrame' | 'onTick'>;
  readonly #waits = new Waits(() => this.#summary());
  readonly #calls = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  /** Resolves once hello has come; rejects with an ApiError when the upgrade is refused. */
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

  /** Not only closing. */
  get isClosed(): boolean {
    return this.#socket.readyState === WebSocket.CLOSED;
  }

  get isPaused(): boolean {
    return this.#socket.isPaused;
  }

  get problems(): string[] {
    return this.chain.problems.map((text) => `socket of ${this.hello.params.username} (caps "${this.caps}"): ${text}`);
  }

  /** What has come so far, by name: `messageNew` for `events.messageNew`. */
  get methods(): string[] {
    return this.frames.map(({ method }) => method.replace('events.', ''));
  }

  /** Params of all frames of an event so far. */
  all<Name extends EventName>(name: Name): EventParams<Name>[] {
    const frames = this.frames.filter(({ method }) => method === `events.${name}`);
    // The chain has held each against the declaration of its event.
    return frames.map(({ params }) => params as EventParams<Name>);
  }

  /** The first frame, come or to come, that fulfils the predicate. */
  waitFor(predicate: (frame: ReceivedFrame) => boolean): Promise<ReceivedFrame> {
    return this.#waits.until(() => this.frames.find(predicate));
  }

  /** The params of the first such event, come or to come. */
  event<Name extends EventName>(name: Name, where: (params: EventParams<Name>) => boolean = () => true) {
    return this.#waits.until(() => this.all(name).find(where));
  }

  /** The `n`-th reply (from 1) to requests without an id, come or to come. */
  reply(n: number): Promise<SocketReply> {
    return this.#waits.until(() => this.replies[n - 1]);
  }

  /** Calls a method and answers its result; throws an ApiError as the typed client does. */
  rpc(method: string, params: object = {}): Promise<unknown> {
    if (!this.isOpen) return Promise.reject(new Error('the socket is closed'));
    const call = Promise.withResolvers<unknown>();
    this.#lastId += 1;
    this.#calls.set(this.#lastId, call);
    this.send(JSON.stringify({ id: this.#lastId, method, params }));
    return call.promise;
  }

  /** Sends a message as it is, a request or not. */
  send(data: string | Buffer): void {
    this.#socket.send(data);
  }

  /** Resolves when all that the service has written to this socket until now has come. */
  async caughtUp(): Promise<void> {
    let ponged = false;
    this.#socket.once('pong', () => {
      ponged = true;
      this.#waits.look();
    });
    this.#socket.ping();
    await this.#waits.until(() => ponged || undefined);
  }

  /** Stops reading: the service sees a slow reader. */
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

  /** Tears the connection down, as a lost network does. */
  async terminate(): Promise<void> {
    this.#socket.terminate();
    await this.closed;
  }

  #receive(text: string): void {
    // What the service sends is JSON: a frame of the log, a tick or a reply.
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
      message: 'an error reply without its error',
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
