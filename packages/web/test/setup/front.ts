import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A proxy in front of the service that can serve a changed build of the app, or refuse all requests. */
export class Front implements AsyncDisposable {
  /** Changes to files, by path: functions of the service's own answer. */
  readonly changed = new Map<string, (text: string) => string>();
  #isDown = false;
  readonly #target: URL;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((asked, answer) => this.#pass(asked, answer));
    this.#server.on('connection', (socket: Socket) => this.#watch(socket));
    this.#server.on('upgrade', (asked, socket: Socket, head) => this.#join(asked, socket, head));
  }

  static async of(target: string): Promise<Front> {
    const front = new Front(target);
    front.#server.listen(0, '127.0.0.1');
    await once(front.#server, 'listening');
    return front;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo; // a TCP server has an AddressInfo
    return `http://127.0.0.1:${port}`;
  }

  takeDown(): void {
    this.#isDown = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  heal(): void {
    this.#isDown = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.takeDown();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #watch(socket: Socket): void {
    if (this.#isDown) return void socket.destroy();
    this.#sockets.add(socket);
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
    return undefined;
  }

  #pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { hostname, port } = this.#target;
    const change = this.changed.get(asked.url ?? '');
    const headers = { ...asked.headers };
    // A text to be changed is requested whole and uncompressed.
    if (change) for (const name of ['accept-encoding', 'if-none-match']) delete headers[name];
    const onward = request({ hostname, port, method: asked.method, path: asked.url, headers, agent: false }, (got) => {
      if (!change) {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        return void got.pipe(answer);
      }
      let text = '';
      got.setEncoding('utf8').on('data', (part: string) => (text += part));
      got.on('end', () => {
        const { 'content-length': _length, etag: _etag, ...own } = got.headers;
        answer.writeHead(got.statusCode ?? 502, own).end(change(text));
      });
      return undefined;
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  }

  #join({ method, url, rawHeaders }: IncomingMessage, socket: Socket, head: Buffer): void {
    const onward = connect(Number(this.#target.port), this.#target.hostname);
    this.#watch(onward);
    const lines = rawHeaders.map((word, at) => (at % 2 === 0 ? `${word}: ` : `${word}\r\n`)).join('');
    onward.write(`${method} ${url} HTTP/1.1\r\n${lines}\r\n`);
    onward.write(head);
    socket.on('close', () => onward.destroy());
    onward.on('close', () => socket.destroy());
    onward.pipe(socket).pipe(onward);
  }
}
