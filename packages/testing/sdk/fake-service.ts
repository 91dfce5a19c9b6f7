// For tests: a service played by the test, and a clock that it controls.
import type { Clock, Network, Timer, WebSocketLike } from '@parley/client';
import type { ErrorCode } from '@parley/protocol';

/** A clock that only moves when a test advances it. */
export class StillClock implements Clock {
  #now = 1_000_000;
  #steppedMs = 0;
  readonly #timers = new Set<{ dueAt: number; callback: () => void }>();

  now(): number {
    return this.#now + this.#steppedMs;
  }

  /** Sets the date, forward or back: no time passes. */
  step(ms: number): void {
    this.#steppedMs += ms;
  }

  monotonic(): number {
    return this.#now;
  }

  setTimer(callback: () => void, ms: number): Timer {
    const timer = { dueAt: this.#now + ms, callback };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  get pending(): number {
    return this.#timers.size;
  }

  /** Time until the next timer; undefined without one. */
  get nextMs(): number | undefined {
    const dues = [...this.#timers].map(({ dueAt }) => dueAt - this.#now);
    return dues.length === 0 ? undefined : Math.min(...dues);
  }

  /** Advances the time and fires due timers. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].toSorted((a, b) => a.dueAt - b.dueAt)[0];
      if (!due || due.dueAt > until) break;
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.dueAt);
      due.callback();
      await settled();
    }
    this.#now = until;
    await settled();
  }
}

/** Waits until pending promise callbacks have run. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A socket whose other end is the test. */
export class FakeSocket implements WebSocketLike {
  readonly #listeners = new Map<string, (event: never) => void>();
  isClosed = false;
  readyState = 1;
  readonly sent: { id: number; method: string; params: Record<string, unknown> }[] = [];
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.set(type, listener);
  }

  send(data: string): void {
    this.sent.push(JSON.parse(data));
  }

  close(): void {
    this.isClosed = true;
  }

  receive(message: unknown): void {
    this.#emit('message', { data: JSON.stringify(message) });
  }

  end(code: number): void {
    this.isClosed = true;
    this.#emit('close', { code });
  }

  hello(head: number, socket = 'socket-1'): void {
    this.receive({ method: 'events.hello', params: account('me'), head, socket, feature_level: 1 });
  }

  frame(seq: number, prev: number, method = 'alert', params: object = { text: String(seq), level: 'info' }): void {
    this.receive({ method: `events.${method}`, params, seq, prev });
  }

  #emit(type: string, event: object): void {
    // Each listener takes the event of its type.
    this.#listeners.get(type)?.(event as never);
  }

  /** Answers the oldest unanswered request with this method. */
  answer(method: string, result: unknown): void {
    this.receive({ id: this.#take(method), ok: true, result });
  }

  /** Answers it with an error. */
  refuse(method: string, code: ErrorCode, parameters: object = {}): void {
    this.receive({ id: this.#take(method), ok: false, error: { code, message: code, parameters } });
  }

  #take(method: string): number {
    const at = this.sent.findIndex((one) => one.method === method);
    const [request] = at < 0 ? [] : this.sent.splice(at, 1);
    if (!request) throw new Error(`${method} was not requested, only ${this.sent.map((one) => one.method).join(', ')}`);
    return request.id;
  }
}

export const account = (username: string) => ({
  username,
  kind: 'human' as const,
  display_name: username,
  created_at: '2026-01-01T00:00:00.000Z',
});

/** Sockets, a network that goes up and down, and HTTP with prepared answers. */
export class FakeService {
  readonly sockets: FakeSocket[] = [];
  readonly clock = new StillClock();
  readonly requests: { name: string; params: Record<string, unknown>; keepalive?: true }[] = [];
  /** The tokens of these requests. */
  readonly tokens: (string | null)[] = [];
  isOnline = true;
  /** Answers by operation; a call without a prepared answer fails like a broken connection. */
  answers: Record<string, (params: Record<string, unknown>) => { status?: number; body: unknown }> = {};
  readonly #listeners = new Set<(isOnline: boolean) => void>();

  get socket(): FakeSocket {
    const socket = this.sockets.at(-1);
    if (!socket) throw new Error('no socket was opened');
    return socket;
  }

  setOnline(isOnline: boolean): void {
    this.isOnline = isOnline;
    for (const listener of this.#listeners) listener(isOnline);
  }

  /** Options for createClient. */
  get options() {
    const { sockets, clock, requests, tokens } = this;
    const isOnline = (): boolean => this.isOnline;
    const answerTo = (name: string) => this.answers[name];
    const network: Network = {
      get isOnline() {
        return isOnline();
      },
      subscribe: (listener) => {
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
    };
    return {
      url: 'http://service.example',
      token: 's_1',
      clock,
      network,
      random: () => 0.5,
      WebSocket: class extends FakeSocket {
        constructor(url: string) {
          super(url);
          sockets.push(this);
        }
      },
      fetch: async (input: string | URL | Request, init?: RequestInit) => {
        const name = (typeof input === 'string' ? input : '').replace(/.*\//, '');
        const params = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as Record<string, unknown>; // written by the client
        tokens.push(new Headers(init?.headers).get('authorization'));
        requests.push({ name, params, ...(init?.keepalive && { keepalive: true }) });
        const { status = 200, body } = answerTo(name)?.(params) ?? { body: undefined };
        if (body === undefined) throw new TypeError('no connection');
        return new Response(JSON.stringify(body), { status });
      },
    };
  }
}
