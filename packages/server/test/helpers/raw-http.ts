import { connect, type Socket } from 'node:net';
import { errorStatus } from '@parley/protocol';
import { expect } from 'vitest';

export const JSON_TYPE = 'content-type: application/json\r\n';
export const HOST = 'host: localhost\r\n';
/** Head lines of a request with alice's development token. */
export const ALICE = `${HOST}authorization: Bearer dev:alice\r\n`;

export const size = (text: string | Buffer): string => `content-length: ${Buffer.byteLength(text)}\r\n`;
export const withHead = (head: string, text: string | Buffer = ''): Buffer =>
  Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(text)]);

interface RawReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A connection whose bytes the test writes itself. */
export class RawConnection {
  readonly #socket: Socket;
  #received = '';
  #look: () => void = () => {};
  isClosed = false;

  constructor(url: string) {
    this.#socket = connect(Number(new URL(url).port), '127.0.0.1');
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (text: string) => {
      this.#received += text;
      this.#look();
    });
    this.#socket.on('error', () => {}); // the service closed the connection: 'close' follows
    this.#socket.on('close', () => {
      this.isClosed = true;
      this.#look();
    });
  }

  write(bytes: string | Buffer): void {
    this.#socket.write(bytes);
  }

  /** The next reply; undefined if the connection ends without one. */
  async reply(): Promise<RawReply | undefined> {
    for (;;) {
      const found = this.#take();
      if (found || this.isClosed) return found;
      await new Promise<void>((resolve) => (this.#look = resolve));
    }
  }

  /** Resolves when the service has read the head of a request that expects `100-continue`. */
  async continued(): Promise<void> {
    const found = await this.reply();
    if (found?.status !== 100) throw new Error(`the service answered ${found?.status} instead of 100`);
  }

  async closed(): Promise<void> {
    while (!this.isClosed) await new Promise<void>((resolve) => (this.#look = resolve));
  }

  /** Stops reading: what the service sends waits in the kernel's buffers, then in the service. */
  pause(): void {
    this.#socket.pause();
  }

  end(): void {
    this.#socket.destroy();
  }

  #take(): RawReply | undefined {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const [first = '', ...lines] = this.#received.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const size = Number(headers['content-length'] ?? 0);
    if (this.#received.length < end + 4 + size) return undefined;
    const body = this.#received.slice(end + 4, end + 4 + size);
    this.#received = this.#received.slice(end + 4 + size);
    return { status: Number(first.split(' ')[1]), headers, body: Buffer.from(body, 'latin1').toString() };
  }
}

/** Sends these bytes on a new connection and returns the first reply. */
export async function exchange(url: string, bytes: string | Buffer): Promise<RawReply | undefined> {
  const connection = new RawConnection(url);
  connection.write(bytes);
  const reply = await connection.reply();
  connection.end();
  return reply;
}

const codes = Object.entries(errorStatus);

/** Expects a reply in the form of an error. */
export function expectError(reply: RawReply | undefined, status: number): void {
  expect(reply?.status).toBe(status);
  expect(reply?.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  const { ok, error_code, description, ...rest } = JSON.parse(reply?.body ?? '');
  expect(ok).toBe(false);
  expect(codes).toContainEqual([error_code, status]);
  expect(description).toMatch(/^[^\n]{1,300}$/);
  expect(Object.keys(rest).filter((key) => key !== 'parameters')).toEqual([]);
}

const upgradeHeaders = {
  host: 'localhost',
  upgrade: 'websocket',
  connection: 'Upgrade',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** An upgrade with alice's development token; empty headers are left out. */
export function upgrade(changes: Record<string, string>, line = 'GET /api/ws?token=dev:alice HTTP/1.1'): string {
  const headers = Object.entries({ ...upgradeHeaders, ...changes }).filter(([, value]) => value !== '');
  return `${line}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}
