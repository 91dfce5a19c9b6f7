import type { Account, Frame } from '@parley/protocol';
import { offlineDelayMs, retryDelayMs, soonDelayMs } from './backoff.ts';
import { type ConnectionEvent, type ConnectionState, nextState } from './connection-states.ts';
import type { Clock, Network, Timer, WebSocketClass, WebSocketLike } from './environment.ts';
import { Requests, type SocketReply } from './requests.ts';

/** How long a connection may be silent before it counts as dead; the service ticks every 25 s. */
const DEAD_MS = 75_000;
/** How long the service may take to send its greeting. */
const GREETING_MS = 20_000;
/** How long a connection must be live before the next failure starts with short delays again. */
const LIVE_WHILE_MS = 10_000;
const SESSION_ENDED = 4401;
/** The first value of `readyState` with which a socket takes nothing more. */
const CLOSING = 2;
/** Close codes of a service that restarts or sheds sockets: the client reconnects soon. */
const SOON = new Set([1012, 1013]);

/** The first frame of the service. */
interface Greeting {
  params: Account;
  head: number;
  socket: string;
}

export type CloseReason =
  | 'closed' // by `close()`
  | 'unauthenticated' // the service does not know the token
  | 'session_ended'; // the session ended while connected

/**
 * What a connection tells those that use it. They are created after it, so these functions are passed to the connection
 * itself and name parts that do not exist yet: nothing is called before `connect`.
 */
interface ConnectionFollower {
  onHello: (greeting: Greeting) => void;
  onTick: (head: number) => void;
  onFrame: (frame: Frame) => void;
  onState: (state: ConnectionState, former: ConnectionState) => void;
  /** The socket failed before its greeting. A browser does not say whether the token was the cause. */
  onNoGreeting: () => void;
}

export interface ConnectionParts extends ConnectionFollower {
  /** Returns the WebSocket URL, including token and caps. */
  address: () => string;
  /** Undefined where the system has none and the app has passed none. */
  WebSocket: WebSocketClass | undefined;
  network: Network;
  clock: Clock;
  random: () => number;
}

/** Opens one socket after another, following the table of states. Closed until `connect`. */
export class Connection {
  state: ConnectionState = 'closed';
  closeReason: CloseReason | null = 'closed';
  /** From the greeting of the current socket. */
  socketId: string | null = null;
  readonly #parts: ConnectionParts;
  readonly #requests: Requests;
  #unsubscribe: () => void = () => {};
  #socket: WebSocketLike | null = null;
  #timer: Timer | null = null;
  #watch: Timer | null = null;
  #heardAt = 0;
  #liveAt = Infinity;
  #attempt = 0;
  #isSoon = false;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#requests = new Requests(parts.clock);
  }

  /** Opens a socket and keeps one open until `refuse`; without effect while it is not closed. */
  connect(): void {
    if (this.state !== 'closed') return;
    const { WebSocket, network } = this.#parts;
    if (!WebSocket)
      throw new Error('there is no WebSocket here: pass one as `WebSocket`, for example that of the package ws');
    this.closeReason = null;
    this.#attempt = 0;
    this.#isSoon = false;
    this.#unsubscribe = network.subscribe((isOnline) => this.dispatch(isOnline ? 'online' : 'offline'));
    this.dispatch(network.isOnline ? 'connect' : 'connectOffline');
  }

  dispatch(event: ConnectionEvent): void {
    const former = this.state;
    const state = nextState[former][event];
    if (state === former) return;
    this.state = state;
    if (former === 'live') {
      const wasLiveMs = this.#parts.clock.monotonic() - this.#liveAt;
      if (wasLiveMs >= LIVE_WHILE_MS) this.#attempt = 0;
    }
    if (state === 'live') this.#liveAt = this.#parts.clock.monotonic();
    this.#enter();
    this.#parts.onState(state, former);
  }

  refuse(reason: CloseReason): void {
    this.closeReason ??= reason;
    this.dispatch(reason === 'closed' ? 'close' : 'refused');
  }

  /** Sends a request over the current socket. */
  request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    const write = (text: string): void => {
      if (!this.#socket) throw new Error('no socket is open');
      // A socket that is closing sends nothing more, and browsers log an error: the request ends with it.
      if (this.#socket.readyState < CLOSING) this.#socket.send(text);
    };
    return this.#requests.send(write, method, params, signal);
  }

  /** The current socket is unusable. */
  lose(): void {
    this.#drop();
    this.dispatch(this.#parts.network.isOnline ? 'lost' : 'offline');
  }

  /** Runs the entry action of the current state. */
  #enter(): void {
    if (this.state === 'recovering' || this.state === 'live') return;
    this.#timer?.cancel();
    this.#timer = null;
    if (this.state === 'connecting') return this.#open();
    this.#drop();
    if (this.state === 'closed') return this.#unsubscribe();
    this.#timer = this.#parts.clock.setTimer(() => this.dispatch('retry'), this.#delayMs());
    return undefined;
  }

  #delayMs(): number {
    const { random } = this.#parts;
    if (this.state === 'offline') return offlineDelayMs(random);
    const delayMs = this.#isSoon && this.#attempt === 0 ? soonDelayMs(random) : retryDelayMs(this.#attempt, random);
    this.#isSoon = false;
    this.#attempt += 1;
    return delayMs;
  }

  #open(): void {
    this.#drop();
    const { WebSocket, address } = this.#parts;
    let socket: WebSocketLike;
    try {
      // Without a WebSocket, `connect` throws.
      socket = new (WebSocket as WebSocketClass)(address());
    } catch {
      // Asynchronous, so that listeners are notified of the current state before it changes again.
      this.#timer = this.#parts.clock.setTimer(() => this.lose(), 0);
      return;
    }
    this.#socket = socket;
    this.#heardAt = this.#parts.clock.monotonic();
    this.#watchFor(GREETING_MS);
    const isPresent = (): boolean => this.#socket === socket;
    socket.addEventListener('message', ({ data }: { data: unknown }) => {
      if (isPresent() && typeof data === 'string') this.#receive(data);
    });
    // Handled by the close event.
    socket.addEventListener('error', () => {});
    socket.addEventListener('close', ({ code }: { code: number }) => {
      if (!isPresent()) return;
      const wasGreeted = this.socketId !== null;
      if (code === SESSION_ENDED) return this.refuse('session_ended');
      this.#isSoon = SOON.has(code);
      this.lose();
      if (!wasGreeted) this.#parts.onNoGreeting();
      return undefined;
    });
  }

  #receive(text: string): void {
    this.#heardAt = this.#parts.clock.monotonic();
    // Trusts the service to send only frames and replies.
    const message = JSON.parse(text) as Partial<Frame & Greeting> & SocketReply;
    if (message.method === undefined) return this.#requests.answer(message);
    if (message.method === 'events.tick') return this.#parts.onTick(Number(message.params?.['head']));
    if (message.method !== 'events.hello') return this.#parts.onFrame(message as Frame);
    const greeting = message as unknown as Greeting; // the first message of each socket
    this.socketId = greeting.socket;
    this.#watchFor(DEAD_MS);
    this.dispatch('hello');
    return this.#parts.onHello(greeting);
  }

  /** Restarts the timer when it fires, not at every frame. */
  #watchFor(limitMs: number): void {
    this.#watch?.cancel();
    const leftMs = this.#heardAt + limitMs - this.#parts.clock.monotonic();
    if (leftMs > 0) this.#watch = this.#parts.clock.setTimer(() => this.#watchFor(limitMs), leftMs);
    else this.lose();
  }

  #drop(): void {
    this.#watch?.cancel();
    this.#watch = null;
    const socket = this.#socket;
    this.#socket = null;
    this.socketId = null;
    this.#requests.lose();
    if (!socket) return;
    try {
      socket.close();
    } catch {
      // `close` can throw on a socket that never opened; it is abandoned either way.
    }
  }
}
