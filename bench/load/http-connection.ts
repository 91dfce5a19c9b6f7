import net from 'node:net';

interface HttpReply {
  status: number;
  body: Buffer;
}

interface Waiting {
  resolve: (reply: HttpReply) => void;
  reject: (error: Error) => void;
}

const headEnd = Buffer.from('\r\n\r\n');
const replyTimeoutMs = 60_000;
const staleAfterMs = 1_000;

/** One keep-alive connection; requests are pipelined. */
export class HttpConnection {
  readonly #socket: net.Socket;
  readonly #host: string;
  readonly #waiting: Waiting[] = [];
  #chunks: Buffer[] = [];
  #receivedBytes = 0;
  /** The reply being received; unknown until its head is complete. */
  #reply: { status: number; headBytes: number; totalBytes: number } | undefined;
  #failed: Error | undefined;
  #lastUsedMs = performance.now();

  constructor(url: string) {
    const { hostname, port, host } = new URL(url);
    this.#host = host;
    this.#socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.setTimeout(replyTimeoutMs, () => {
      if (this.#waiting.length > 0) this.#fail(new Error('no HTTP reply within 60 s'));
    });
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('the server closed the HTTP connection')));
  }

  /** Servers close connections that were idle for some seconds; a stale one must be replaced. */
  get isStale(): boolean {
    const idleMs = performance.now() - this.#lastUsedMs;
    return this.#failed !== undefined || (this.#waiting.length === 0 && idleMs > staleAfterMs);
  }

  get unanswered(): number {
    return this.#waiting.length;
  }

  post(path: string, token: string, body: string): Promise<HttpReply> {
    if (this.#failed !== undefined) return Promise.reject(this.#failed);
    const { promise, resolve, reject } = Promise.withResolvers<HttpReply>();
    this.#waiting.push({ resolve, reject });
    this.#lastUsedMs = performance.now();
    this.#socket.write(
      `POST ${path} HTTP/1.1\r\nhost: ${this.#host}\r\nauthorization: Bearer ${token}\r\n` +
        `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    return promise;
  }

  close(): void {
    this.#failed ??= new Error('the connection is closed');
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#receivedBytes += chunk.length;
    while (this.#receivedBytes > 0) {
      this.#reply ??= this.#readHead();
      if (this.#reply === undefined || this.#receivedBytes < this.#reply.totalBytes) return;
      const { status, headBytes, totalBytes } = this.#reply;
      const all = this.#joined();
      this.#reply = undefined;
      this.#chunks = totalBytes < all.length ? [all.subarray(totalBytes)] : [];
      this.#receivedBytes = all.length - totalBytes;
      this.#lastUsedMs = performance.now();
      this.#waiting.shift()?.resolve({ status, body: all.subarray(headBytes, totalBytes) });
    }
  }

  #readHead(): { status: number; headBytes: number; totalBytes: number } | undefined {
    const all = this.#joined();
    const end = all.indexOf(headEnd);
    if (end < 0) return undefined;
    const head = all.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) {
      this.#fail(new Error(`an HTTP reply without content-length: ${head.slice(0, 200)}`));
      return undefined;
    }
    const headBytes = end + headEnd.length;
    return { status: Number(head.slice(9, 12)), headBytes, totalBytes: headBytes + Number(length) };
  }

  #joined(): Buffer {
    const [only] = this.#chunks;
    if (only !== undefined && this.#chunks.length === 1) return only;
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }

  #fail(error: Error): void {
    this.#failed ??= error;
    this.#socket.destroy();
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failed);
  }
}
