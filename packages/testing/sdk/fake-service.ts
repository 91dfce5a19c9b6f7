// For tests: a service that is played by hand, and time that stands still.
import type { Clock, Network, Timer, WebSocketLike } from '@parley/client';
import type { ErrorCode } from '@parley/protocol';

/** A clock that moves when it is told to. */
export class StillClock implements Clock {
  #now = 1_000_000;
  readonly #timers = new Set<{ dueAt: number; callback: () => void }>();

  now(): number {
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

  /** How long until the next timer; undefined without one. */
  get nextMs(): number | undefined {
    const dues = [...this.#timers].map(({ dueAt }) => dueAt - this.#now);
    return dues.length === 0 ? undefined : Math.min(...dues);
  }

  /** Moves on, and fires what falls due on the way. */
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

/** All promises that can have gone on. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A socket whose service is the test. */
export class FakeSocket implements WebSocketLike {
  readonly #listeners = new Map<string, (event: never) => void>();
  isClosed = false;
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
    this.#tell('message', { data: JSON.stringify(message) });
  }

  end(code: number): void {
    this.isClosed = true;
    this.#tell('close', { code });
  }

  hello(head: number, socket = 'socket-1'): void {
    this.receive({ method: 'events.hello', params: account('me'), head, socket, feature_level: 1 });
  }

  frame(seq: number, prev: number, method = 'alert', params: object = { text: String(seq), level: 'info' }): void {
    this.receive({ method: `events.${method}`, params, seq, prev });
  }

  #tell(type: string, event: object): void {
    // Each type's listener takes its event.
    this.#listeners.get(type)?.(event as never);
  }

  /** Answers the oldest request of this name that has no answer. */
  answer(method: string, result: unknown): void {
    this.receive({ id: this.#take(method), ok: true, result });
  }

  /** The same, with an error. */
  refuse(method: string, code: ErrorCode, parameters: object = {}): void {
    this.receive({ id: this.#take(method), ok: false, error: { code, message: code, parameters } });
  }

  #take(method: string): number {
    const at = this.sent.findIndex((one) => one.method === method);
    const [request] = at < 0 ? [] : this.sent.splice(at, 1);
    if (!request) throw new Error(`${method} was not asked, but ${this.sent.map((one) => one.method).join(', ')}`);
    return request.id;
  }
}

export const account = (username: string) => ({
  username,
  kind: 'human' as const,
  display_name: username,
  created_at: '2026-01-01T00:00:00.000Z',
});

/** Sockets as they are opened, a network that comes and goes, and HTTP that answers what it is told to. */
export class FakeService {
  readonly sockets: FakeSocket[] = [];
  readonly clock = new StillClock();
  readonly requests: { name: string; params: Record<string, unknown>; keepalive?: true }[] = [];
  isOnline = true;
  /** By operation; without one there is no connection. */
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

  /** What createClient takes. */
  get options() {
    const { sockets, clock, requests } = this;
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
        const params = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as Record<string, unknown>; // what the client has written
        requests.push({ name, params, ...(init?.keepalive && { keepalive: true }) });
        const { status = 200, body } = answerTo(name)?.(params) ?? { body: undefined };
        if (body === undefined) throw new TypeError('no connection');
        return new Response(JSON.stringify(body), { status });
      },
    };
  }
}
