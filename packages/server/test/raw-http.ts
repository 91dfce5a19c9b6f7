import { connect, type Socket } from 'node:net';

export interface RawReply {
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
    this.#socket.on('error', () => {}); // cut off by the service: 'close' tells
    this.#socket.on('close', () => {
      this.isClosed = true;
      this.#look();
    });
  }

  write(bytes: string | Buffer): void {
    this.#socket.write(bytes);
  }

  /** The next reply; undefined when the connection ends without one. */
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
    const body = this.#received.slice(end + 4, end + 4 + size);
    if (body.length < size) return undefined;
    this.#received = this.#received.slice(end + 4 + size);
    return { status: Number(first.split(' ')[1]), headers, body: Buffer.from(body, 'latin1').toString() };
  }
}
