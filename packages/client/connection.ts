import type { Account, Frame } from '@parley/protocol';
import { offlineDelayMs, retryDelayMs, soonDelayMs } from './backoff.ts';
import { type ConnectionEvent, type ConnectionState, nextState } from './connection-states.ts';
import type { Clock, Network, Timer, WebSocketClass, WebSocketLike } from './environment.ts';
import { Requests, type SocketReply } from './requests.ts';

/** Without a frame for so long a connection is dead: the service ticks every 25 s. */
const DEAD_MS = 75_000;
/** So long may the greeting take. */
const GREETING_MS = 20_000;
/** Who was live for so long begins anew with short waits. */
const LIVE_WHILE_MS = 10_000;
const SESSION_ENDED = 4401;
/** The service restarts, or wants a socket less just now. */
const SOON = new Set([1012, 1013]);

/** What the service says first. */
export interface Greeting {
  params: Account;
  head: number;
  socket: string;
}

export type CloseReason =
  | 'closed' // by `close()`
  | 'unauthenticated' // the service does not know the token
  | 'session_ended'; // it has known it until now

export interface ConnectionParts {
  /** Of the WebSocket, with token and caps. */
  address: string;
  WebSocket: WebSocketClass;
  network: Network;
  clock: Clock;
  random: () => number;
  onHello: (greeting: Greeting) => void;
  onTick: (head: number) => void;
  onFrame: (frame: Frame) => void;
  onState: (state: ConnectionState, former: ConnectionState) => void;
  /** A socket has failed before its greeting: a browser does not tell that it was the token. */
  onNoGreeting: () => void;
}

/** One socket after another, by the table of states. */
export class Connection {
  state: ConnectionState;
  closeReason: CloseReason | null = null;
  /** Of the greeting of the present socket. */
  socketId: string | null = null;
  readonly #parts: ConnectionParts;
  readonly #requests: Requests;
  readonly #unsubscribe: () => void;
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
    this.#unsubscribe = parts.network.subscribe((isOnline) => this.dispatch(isOnline ? 'online' : 'offline'));
    this.state = parts.network.isOnline ? 'connecting' : 'offline';
  }

  /** The first try; not in the constructor, so that whoever is told of it has its Connection. */
  start(): void {
    this.#enter();
  }

  dispatch(event: ConnectionEvent): void {
    const former = this.state;
    const state = nextState[former][event];
    if (state === former) return;
    this.state = state;
    if (former === 'live') {
      const wasLiveMs = this.#parts.clock.now() - this.#liveAt;
      if (wasLiveMs >= LIVE_WHILE_MS) this.#attempt = 0;
    }
    if (state === 'live') this.#liveAt = this.#parts.clock.now();
    this.#enter();
    this.#parts.onState(state, former);
  }

  refuse(reason: CloseReason): void {
    this.closeReason ??= reason;
    this.dispatch(reason === 'closed' ? 'close' : 'refused');
  }

  /** A request over the present socket. */
  request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    const write = (text: string): void => {
      if (!this.#socket) throw new Error('there is no socket');
      this.#socket.send(text);
    };
    return this.#requests.send(write, method, params, signal);
  }

  /** The present socket is of no use any more. */
  lose(): void {
    this.#drop();
    this.dispatch(this.#parts.network.isOnline ? 'lost' : 'offline');
  }

  /** What it means to be in the state that it is in now. */
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
    let socket: WebSocketLike;
    try {
      socket = new this.#parts.WebSocket(this.#parts.address);
    } catch {
      // Not at once: the state that is being entered has to be told first.
      this.#timer = this.#parts.clock.setTimer(() => this.lose(), 0);
      return;
    }
    this.#socket = socket;
    this.#heardAt = this.#parts.clock.now();
    this.#watchFor(GREETING_MS);
    const isPresent = (): boolean => this.#socket === socket;
    socket.addEventListener('message', ({ data }: { data: unknown }) => {
      if (isPresent() && typeof data === 'string') this.#receive(data);
    });
    // Told as a close too.
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
    this.#heardAt = this.#parts.clock.now();
    // The service sends nothing else.
    const message = JSON.parse(text) as Partial<Frame & Greeting> & SocketReply;
    if (message.method === undefined) return this.#requests.answer(message);
    if (message.method === 'events.tick') return this.#parts.onTick(Number(message.params?.['head']));
    if (message.method !== 'events.hello') return this.#parts.onFrame(message as Frame);
    const greeting = message as unknown as Greeting; // its first message, once a socket
    this.socketId = greeting.socket;
    this.#watchFor(DEAD_MS);
    this.dispatch('hello');
    return this.#parts.onHello(greeting);
  }

  /** One timer a while, not one a frame. */
  #watchFor(limitMs: number): void {
    this.#watch?.cancel();
    const leftMs = this.#heardAt + limitMs - this.#parts.clock.now();
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
      // One that was never open may say so; it is of no use either way.
    }
  }
}
