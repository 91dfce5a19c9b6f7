// cluster/: communication between the nodes of an installation over Redis, and their membership. Redis keeps nothing
// that cannot be lost: missing messages are read from the store.
import { createClient } from 'redis';
import type { Clock, Timer } from '../core/clock.ts';
import { unavailable } from '../core/errors.ts';

type Client = ReturnType<typeof newClient>;
type Listener = (bytes: Buffer) => void;

interface Options {
  url: string;
  clock: Clock;
  /** Receives the error that broke a connection, and that of each failed attempt to connect. */
  onFault?: (error: unknown) => void;
}

interface Pair {
  commands: Client;
  subscriber: Client;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
/** Maximum time for connecting, greeting and subscribing together. */
const CONNECT_MS = 3_000;
const PING_MS = 1_000;
/** Number of ping intervals without an answer after which Redis counts as unavailable. */
const MAX_MISSED = 3;
/** Maximum bytes waiting to be sent; above it Redis is too slow and the connection is replaced. */
const MAX_WAITING_BYTES = 64 * 2 ** 20;
const BYTES_PER_COMMAND = 256;

/**
 * Two connections to Redis that are opened and dropped together, one for commands and one for subscriptions. While they
 * are down, commands fail immediately and nothing is queued (CLUSTER-20).
 */
export class RedisConnection {
  readonly #options: Options;
  readonly #clock: Clock;
  readonly #listeners = new Map<string, Listener>();
  readonly #onUp: (() => void)[] = [];
  readonly #onDown: (() => void)[] = [];
  #pair: Pair | null = null;
  #timer: Timer | null = null;
  #pauseMs = FIRST_PAUSE_MS;
  #waitingBytes = 0;
  #missed = 0;
  #isOpened = false;
  #isClosed = false;
  /** Aborts a connection attempt in progress. */
  #abandon: (() => void) | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.#clock = options.clock;
  }

  /** True while both connections are open and subscribed to every channel. */
  get isUp(): boolean {
    return this.#pair !== null;
  }

  onUp(callback: () => void): void {
    this.#onUp.push(callback);
  }

  onDown(callback: () => void): void {
    this.#onDown.push(callback);
  }

  /** Subscribes to a channel; must be called before `open`. */
  listen(channel: string, listener: Listener): void {
    if (this.#isOpened) throw new Error('listen must be called before open');
    this.#listeners.set(channel, listener);
  }

  /** Connects, retrying until it succeeds; resolves after the first attempt, successful or not. */
  async open(): Promise<void> {
    this.#isOpened = true;
    await this.#connect();
  }

  /** Sends one command. Rejects with `unavailable` if Redis is down; a command in flight may have run nevertheless. */
  async command(...words: (string | Buffer)[]): Promise<unknown> {
    const pair = this.#pair;
    if (!pair) throw away();
    const bytes = words.reduce((sum, { length }) => sum + length, BYTES_PER_COMMAND);
    if (this.#waitingBytes + bytes > MAX_WAITING_BYTES) {
      this.#break(pair, new Error('Redis does not keep up'));
      throw away();
    }
    this.#waitingBytes += bytes;
    try {
      return await pair.commands.sendCommand(words);
    } catch (error) {
      // If the pair is still in use, the error is Redis's answer; otherwise the connection was lost.
      throw this.#pair === pair ? error : away();
    } finally {
      if (this.#pair === pair) this.#waitingBytes -= bytes;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#abandon?.();
    if (this.#pair) this.#drop(this.#pair);
  }

  async #connect(): Promise<void> {
    this.#timer = null;
    const pair = { commands: newClient(this.#options.url), subscriber: newClient(this.#options.url) };
    const clients = [pair.commands, pair.subscriber];
    const late = Promise.withResolvers<never>();
    this.#abandon = () => late.reject(away());
    const timer = this.#clock.setTimer(this.#abandon, CONNECT_MS);
    try {
      for (const client of clients) {
        client.on('error', (error: unknown) => {
          late.reject(error);
          this.#break(pair, error);
        });
      }
      await Promise.race([
        Promise.all([pair.commands.connect(), this.#connectSubscriber(pair.subscriber)]),
        late.promise,
      ]);
    } catch (error) {
      for (const client of clients) end(client);
      this.#again(error);
      return;
    } finally {
      timer.cancel();
      this.#abandon = null;
    }
    this.#pair = pair;
    this.#waitingBytes = 0;
    this.#missed = 0;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#timer = this.#clock.setTimer(() => this.#ping(pair), PING_MS);
    for (const callback of this.#onUp) callback();
  }

  async #connectSubscriber(subscriber: Client): Promise<void> {
    await subscriber.connect();
    await Promise.all([...this.#listeners].map(([channel, hear]) => subscriber.subscribe(channel, hear, true)));
  }

  /** Runs every second: a server that accepts connections but does not answer counts as unavailable. */
  #ping(pair: Pair): void {
    if (this.#missed >= MAX_MISSED) {
      this.#break(pair, new Error('Redis does not answer'));
      return;
    }
    this.#timer = this.#clock.setTimer(() => this.#ping(pair), PING_MS);
    if ((this.#missed += 1) > 1) return;
    Promise.all([pair.commands.sendCommand(['PING']), pair.subscriber.sendCommand(['PING'])]).then(
      () => void (this.#pair === pair && (this.#missed = 0)),
      (error: unknown) => this.#break(pair, error),
    );
  }

  #break(pair: Pair, error: unknown): void {
    if (this.#pair !== pair) return;
    this.#timer?.cancel();
    this.#drop(pair);
    this.#again(error);
  }

  #drop(pair: Pair): void {
    this.#pair = null;
    end(pair.commands);
    end(pair.subscriber);
    for (const callback of this.#onDown) callback();
  }

  #again(error: unknown): void {
    if (this.#isClosed) return;
    this.#options.onFault?.(error);
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    this.#timer = this.#clock.setTimer(() => void this.#connect(), pauseMs);
  }
}

/** A client that never reconnects on its own: a broken pair is replaced as a whole. */
const newClient = (url: string) =>
  createClient({
    url,
    socket: { reconnectStrategy: false, connectTimeout: CONNECT_MS },
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
  });

function end(client: Client): void {
  if (client.isOpen) client.destroy();
}

const away = () => unavailable('Redis is unavailable; try again');
