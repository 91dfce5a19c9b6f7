import { randomBytes } from 'node:crypto';
import net from 'node:net';
import { frameKind, kindPeekBytes } from './frame-kind.ts';
import { FrameWalker } from './frame-walker.ts';
import { pongFrame } from './request-frames.ts';

/** What the sockets of one group have received so far. */
export interface Tally {
  messages: number;
  messageBytes: number;
  deltas: number;
  deltaBytes: number;
  acks: number;
  ackBytes: number;
  refusals: number;
  unknown: number;
  /** Details of the first refusal, unknown frame or lost socket. */
  trouble: string | undefined;
}

export function newTally(): Tally {
  return {
    messages: 0,
    messageBytes: 0,
    deltas: 0,
    deltaBytes: 0,
    acks: 0,
    ackBytes: 0,
    refusals: 0,
    unknown: 0,
    trouble: undefined,
  };
}

/** Refusals are fast, so a load with any error is not a valid measurement. */
export function refuseTrouble(tally: Tally): void {
  if (tally.trouble !== undefined) throw new Error(tally.trouble);
}

export interface RawSocketOptions {
  host: string;
  port: number;
  path: string;
  tally: Tally;
  /** Minimum bytes of a frame that `onMessage` gets. */
  peekBytes?: number;
  /** False: reads nothing after the hello. */
  reading?: boolean;
}

const opcodes = { text: 1, close: 8, ping: 9 } as const;
const connectTimeoutMs = 20_000;

/** Shared by all sockets: each read is processed before the next one begins. */
const readBuffer = Buffer.allocUnsafeSlow(256 * 1024);

/** A WebSocket client that counts frames. `hello` resolves when the server has greeted it. */
export class RawSocket {
  readonly hello: Promise<void>;
  /** The number in the hello, if the socket sees whole frames. */
  head = 0;
  /** Called with the number of replies in one read. */
  onAcks: ((count: number) => void) | undefined;
  /** Called with the number of messages in one read. */
  onMessages: ((count: number) => void) | undefined;
  onMessage: ((buffer: Buffer, at: number, payloadBytes: number) => void) | undefined;
  readonly #socket: net.Socket;
  readonly #tally: Tally;
  readonly #walker: FrameWalker;
  readonly #reading: boolean;
  readonly #greeted = Promise.withResolvers<void>();
  #handshake: string | undefined = '';
  #ending = false;
  #acksOfThisRead = 0;
  #messagesOfThisRead = 0;

  constructor(options: RawSocketOptions) {
    this.hello = this.#greeted.promise;
    this.#tally = options.tally;
    this.#reading = options.reading ?? true;
    this.#walker = new FrameWalker(Math.max(kindPeekBytes, options.peekBytes ?? 0), this);
    const { host, port, path } = options;
    this.#socket = net.connect({
      host,
      port,
      noDelay: true,
      onread: { buffer: readBuffer, callback: (bytes) => this.#read(bytes) },
    });
    const timeout = setTimeout(() => this.#lost(new Error('no hello in time')), connectTimeoutMs);
    const clear = () => clearTimeout(timeout);
    this.hello.then(clear, clear);
    this.#socket.on('error', (error) => this.#lost(error));
    this.#socket.on('close', () => this.#lost(new Error('the server closed the connection')));
    const key = randomBytes(16).toString('base64');
    this.#socket.write(
      `GET ${path} HTTP/1.1\r\nhost: ${host}:${port}\r\nupgrade: websocket\r\nconnection: Upgrade\r\n` +
        `sec-websocket-key: ${key}\r\nsec-websocket-version: 13\r\n\r\n`,
    );
  }

  send(frame: Buffer): void {
    this.#socket.write(frame);
  }

  /** Disconnects without a close frame, like a client that loses its network. */
  drop(): void {
    this.#ending = true;
    this.#socket.destroy();
  }

  frame(opcode: number, payloadBytes: number, buffer: Buffer, at: number): void {
    const tally = this.#tally;
    if (opcode !== opcodes.text) {
      if (opcode === opcodes.ping) this.#socket.write(pongFrame(Buffer.from(buffer.subarray(at, at + payloadBytes))));
      else if (opcode === opcodes.close) {
        this.#lost(new Error(`closed with ${payloadBytes < 2 ? 'no code' : buffer.readUInt16BE(at)}`));
      }
      return;
    }
    const kind = frameKind(buffer, at, payloadBytes);
    if (kind === 'message') {
      tally.messages++;
      tally.messageBytes += payloadBytes;
      this.#messagesOfThisRead++;
      if (this.onMessage !== undefined) this.onMessage(buffer, at, payloadBytes);
    } else if (kind === 'delta') {
      tally.deltas++;
      tally.deltaBytes += payloadBytes;
    } else if (kind === 'ack') {
      tally.acks++;
      tally.ackBytes += payloadBytes;
      this.#acksOfThisRead++;
    } else if (kind === 'hello') {
      this.head = Number(/"head":(\d+)/.exec(buffer.toString('latin1', at, at + payloadBytes))?.[1] ?? 0);
      this.#greeted.resolve();
      if (!this.#reading) this.#socket.pause();
    } else if (kind === 'refusal' || kind === 'unknown') {
      tally[kind === 'refusal' ? 'refusals' : 'unknown']++;
      tally.trouble ??= `${kind}: ${buffer.toString('utf8', at, at + Math.min(payloadBytes, 200))}`;
    }
  }

  #read(bytes: number): boolean {
    let from = 0;
    if (this.#handshake !== undefined) {
      from = this.#readHandshake(bytes);
      if (from === 0) return true;
    }
    this.#walker.walk(readBuffer, from, bytes);
    if (this.#acksOfThisRead > 0) {
      const count = this.#acksOfThisRead;
      this.#acksOfThisRead = 0;
      this.onAcks?.(count);
    }
    if (this.#messagesOfThisRead > 0) {
      const count = this.#messagesOfThisRead;
      this.#messagesOfThisRead = 0;
      this.onMessages?.(count);
    }
    return true;
  }

  /** Returns where the frames begin; 0 while the server's response is incomplete. */
  #readHandshake(bytes: number): number {
    const before = this.#handshake?.length ?? 0;
    this.#handshake += readBuffer.toString('latin1', 0, bytes);
    const head = this.#handshake ?? '';
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return 0;
    if (!head.startsWith('HTTP/1.1 101')) {
      this.#lost(new Error(`no upgrade: ${head.slice(0, 300)}`));
      return 0;
    }
    this.#handshake = undefined;
    return end + 4 - before;
  }

  #lost(error: Error): void {
    if (this.#ending) return;
    this.#ending = true;
    this.#tally.trouble ??= `a socket was lost: ${error.message}`;
    this.#greeted.reject(error);
    this.#socket.destroy();
  }
}
