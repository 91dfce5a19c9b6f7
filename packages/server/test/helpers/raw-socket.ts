import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

export const opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

interface FrameOptions {
  fin?: boolean;
  masked?: boolean;
  /** The three reserved bits. */
  reserved?: number;
}

/** The bytes of one frame, valid or not. */
export function frame(op: number, payload: string | Buffer = '', options: FrameOptions = {}): Buffer {
  const { fin = true, masked = true, reserved = 0 } = options;
  const data = Buffer.from(payload);
  const head = Buffer.alloc(data.length < 126 ? 2 : data.length < 65_536 ? 4 : 10);
  head[0] = (fin ? 0x80 : 0) | (reserved << 4) | op;
  head[1] = (masked ? 0x80 : 0) | (data.length < 126 ? data.length : data.length < 65_536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(data.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(data.length), 2);
  if (!masked) return Buffer.concat([head, data]);
  const mask = randomBytes(4);
  for (let at = 0; at < data.length; at += 1) data[at] = (data[at] ?? 0) ^ (mask[at % 4] ?? 0);
  return Buffer.concat([head, mask, data]);
}

interface RawSocketOptions {
  token: string;
  caps?: string;
  headers?: Record<string, string>;
}

/** A bare WebSocket client: it answers neither pings nor close frames. */
export class RawSocket {
  readonly texts: string[] = [];
  /** Payloads of the received pongs. */
  readonly pongs: string[] = [];
  closeCode: number | undefined;
  isEnded = false;
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  /** Chunks behind `#received`. They are joined once the next frame is whole: frames of 1 MiB come in many chunks. */
  #chunks: Buffer[] = [];
  #chunkBytes = 0;
  /** Number of bytes that the next frame needs, as far as it is known. */
  #needed = 2;
  #look: () => void = () => {};

  /** Connects; resolves when hello has arrived. */
  static async open(url: string, { token, caps = '', headers = {} }: RawSocketOptions): Promise<RawSocket> {
    const socket = new RawSocket(connect(Number(new URL(url).port), '127.0.0.1'));
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(
      `GET /api/ws?token=${token}&caps=${caps} HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: Upgrade\r\n` +
        `sec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n${lines.join('')}\r\n`,
    );
    await socket.until(() => socket.texts.length > 0 || undefined);
    return socket;
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    let isUpgraded = false;
    socket.on('data', (data: Buffer) => {
      this.#chunks.push(data);
      this.#chunkBytes += data.length;
      if (isUpgraded && this.#received.length + this.#chunkBytes < this.#needed) return;
      this.#received = Buffer.concat([this.#received, ...this.#chunks]);
      this.#chunks = [];
      this.#chunkBytes = 0;
      if (!isUpgraded) {
        const end = this.#received.indexOf('\r\n\r\n');
        if (end < 0) return;
        isUpgraded = true;
        this.#received = this.#received.subarray(end + 4);
      }
      this.#read();
      this.#look();
    });
    socket.on('error', () => {}); // the service closed the connection: 'close' follows
    socket.on('close', () => {
      this.isEnded = true;
      this.#look();
    });
  }

  write(bytes: string | Buffer): void {
    this.#socket.write(bytes);
  }

  /** Sends a request in its own frame. */
  request(id: string | number | undefined, method: string, params: object = {}): void {
    this.write(frame(opcode.text, JSON.stringify({ id, method, params })));
  }

  /** The reply with this id; waits for it if necessary. */
  async reply(id: string | number): Promise<Record<string, unknown>> {
    const head = `{"id":${JSON.stringify(id)},`;
    const text = await this.until(() => this.texts.find((candidate) => candidate.startsWith(head)));
    return JSON.parse(text) as Record<string, unknown>; // an object: it has an id
  }

  async until<Value>(find: () => Value | undefined): Promise<Value> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (this.isEnded) throw new Error(`the socket ended, close code ${this.closeCode}`);
      await new Promise<void>((resolve) => (this.#look = resolve));
    }
  }

  /** Resolves with the code of the service's close frame; undefined if it closed the connection without one. */
  async closed(): Promise<number | undefined> {
    await this.until(() => (this.closeCode !== undefined || this.isEnded ? true : undefined));
    return this.closeCode;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  end(): void {
    this.#socket.destroy();
  }

  #read(): void {
    for (;;) {
      const length = (this.#received[1] ?? 0) & 0x7f;
      const start = length < 126 ? 2 : length === 126 ? 4 : 10;
      this.#needed = start;
      if (this.#received.length < start) return;
      const size =
        length < 126
          ? length
          : length === 126
            ? this.#received.readUInt16BE(2)
            : Number(this.#received.readBigUInt64BE(2));
      this.#needed = start + size;
      if (this.#received.length < this.#needed) return;
      const payload = this.#received.subarray(start, start + size);
      const op = (this.#received[0] ?? 0) & 0x0f;
      if (op === opcode.text) this.texts.push(payload.toString());
      if (op === opcode.pong) this.pongs.push(payload.toString());
      if (op === opcode.close) this.closeCode = payload.length < 2 ? 1005 : payload.readUInt16BE(0);
      this.#received = this.#received.subarray(start + size);
    }
  }
}
