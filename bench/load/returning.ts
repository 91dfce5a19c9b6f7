import { WebSocket } from 'ws';
import type { ReturnJob, ReturnResult } from './jobs.ts';

const retryMs = 50;

/** The fields of frames and replies that are read. */
interface Incoming {
  seq?: number;
  method?: string;
  params?: { head?: number };
  ok?: boolean;
  result?: { frames: { seq: number }[]; more?: boolean };
  error?: unknown;
}

/** A client that reconnects whenever it is cut off, fetches what it missed, and knows when it has caught up. */
class ReturningClient {
  readonly greeted = Promise.withResolvers<void>();
  trouble: string | undefined;
  isCaughtUp = false;
  hasSeen = false;
  /** The text that it waits for after it was cut off. */
  awaited: string | null = null;
  #last: number | null = null;
  readonly #url: string;
  readonly #onBack: () => void;
  #socket: WebSocket | null = null;
  #isOver = false;

  constructor(url: string, onBack: () => void) {
    this.#url = url;
    this.#onBack = onBack;
    this.#connect();
  }

  await(text: string | null): void {
    this.awaited = text;
    this.isCaughtUp = false;
    this.hasSeen = text === null;
  }

  cut(): void {
    this.#socket?.terminate();
  }

  end(): void {
    this.#isOver = true;
    this.cut();
  }

  #connect(): void {
    const socket = new WebSocket(this.#url, { perMessageDeflate: false });
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#receive(data.toString()));
    socket.on('error', () => {});
    socket.on('close', () => {
      if (!this.#isOver) setTimeout(() => this.#connect(), retryMs * (0.5 + Math.random()));
    });
  }

  #receive(text: string): void {
    if (this.awaited !== null && text.includes(this.awaited)) this.hasSeen = true;
    // Trusts the service under test.
    const incoming = JSON.parse(text) as Incoming;
    if (incoming.method === 'events.hello') {
      const head = incoming.params?.head ?? 0;
      if (this.#last === null) {
        this.#last = head;
        this.greeted.resolve();
      } else this.#ask();
    } else if (incoming.method === undefined) this.#answer(incoming);
    // Live frames that arrive during getUpdates come after its answer.
    else if (this.isCaughtUp) this.#last = incoming.seq ?? this.#last;
    this.#look();
  }

  #ask(): void {
    this.#socket?.send(
      JSON.stringify({ id: 1, method: 'getUpdates', params: { since: this.#last ?? 0, limit: 1_000 } }),
    );
  }

  #answer({ ok, result, error }: Incoming): void {
    if (ok !== true || result === undefined) {
      this.trouble ??= `getUpdates answered ${JSON.stringify(error)}`;
      return;
    }
    this.#last = result.frames.at(-1)?.seq ?? this.#last;
    if (result.more) this.#ask();
    else this.isCaughtUp = true;
  }

  #look(): void {
    if (this.isCaughtUp && this.hasSeen) this.#onBack();
  }
}

let clients: ReturningClient[] = [];
let onBack: () => void = () => {};

export async function gather({ urls }: { urls: string[] }): Promise<{ connected: number }> {
  for (const client of clients) client.end();
  clients = urls.map((url) => new ReturningClient(url, () => onBack()));
  await Promise.all(clients.map((client) => client.greeted.promise));
  return { connected: clients.length };
}

/** Waits until every client has been cut off, has reconnected and has caught up. */
export async function comeBack({ awaited, isCutHere, withinSeconds }: ReturnJob): Promise<ReturnResult> {
  const times: number[] = [];
  const all = Promise.withResolvers<void>();
  onBack = () => {
    const back = clients.filter((client) => client.isCaughtUp && client.hasSeen).length;
    while (times.length < back) times.push(Date.now());
    if (back === clients.length) all.resolve();
  };
  for (const client of clients) client.await(awaited);
  if (isCutHere) for (const client of clients) client.cut();
  const timeout = setTimeout(() => {
    const missing = clients.length - times.length;
    all.reject(new Error(`${missing} of ${clients.length} did not reconnect within ${withinSeconds} s`));
  }, withinSeconds * 1_000);
  try {
    await all.promise;
  } finally {
    clearTimeout(timeout);
    onBack = () => {};
  }
  const trouble = clients.find((client) => client.trouble !== undefined)?.trouble;
  if (trouble !== undefined) throw new Error(trouble);
  return { half: times[Math.floor(times.length / 2)] ?? 0, last: times.at(-1) ?? 0 };
}
