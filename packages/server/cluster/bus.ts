import type { RedisConnection } from './redis-connection.ts';

interface Options {
  connection: RedisConnection;
  /** Of the installation: several may share one Redis. */
  prefix: string;
  /** Who publishes: a node does not hear itself. */
  nodeKey: number;
}

/** One channel that all nodes hear, in each publisher's order (CLUSTER-21). */
export class Bus {
  readonly #connection: RedisConnection;
  readonly #channel: string;
  readonly #head: string;
  onMessage: (text: string) => void = () => {};
  /** What others published while Redis was away is not heard any more. */
  onUp: () => void = () => {};
  onDown: () => void = () => {};
  #isClosed = false;

  constructor({ connection, prefix, nodeKey }: Options) {
    this.#connection = connection;
    this.#channel = `${prefix}:log`;
    this.#head = `${nodeKey} `;
    const own = Buffer.from(this.#head);
    connection.listen(this.#channel, (bytes) => {
      if (this.#isClosed || bytes.subarray(0, own.length).equals(own)) return;
      this.onMessage(bytes.toString('utf8', bytes.indexOf(' ') + 1));
    });
    connection.onUp(() => this.#isClosed || this.onUp());
    connection.onDown(() => this.#isClosed || this.onDown());
  }

  get isUp(): boolean {
    return !this.#isClosed && this.#connection.isUp;
  }

  /** To all other nodes; while Redis is away to nobody. */
  publish(text: string): void {
    if (!this.isUp) return;
    // Whoever did not hear it reads the log: nobody waits for an answer.
    this.#connection.command('PUBLISH', this.#channel, this.#head + text).catch(() => {});
  }

  close(): void {
    this.#isClosed = true;
  }
}
