import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import type { GatherJob, ReturnJob, ReturnResult } from './jobs.ts';

/** Mean delay before the first attempt to reconnect; it doubles with each further attempt up to the longest. */
const firstRetryMs = 50;
const longestRetryMs = 400;
const handshakeTimeoutMs = 5_000;
/** The ids of requests. */
const updatesId = 1;
const messageId = 2;

/** The fields of frames and replies that are read. */
interface Incoming {
  id?: number;
  seq?: number;
  method?: string;
  params?: { head?: number };
  ok?: boolean;
  result?: { frames: { seq: number }[]; more?: boolean };
  error?: { code?: string };
}

/** A client that reconnects whenever it is cut off, fetches what it missed, and knows when it has caught up. */
class ReturningClient {
  readonly greeted = Promise.withResolvers<void>();
  trouble: string | undefined;
  isCaughtUp = false;
  /** Whether it was cut off since `comeBack` began to wait for its return. */
  wasCut = false;
  hasSeen = false;
  /** The text that it waits for after it was cut off. */
  awaited: string | null = null;
  #last: number | null = null;
  readonly #url: string;
  readonly #onBack: () => void;
  #socket: WebSocket | null = null;
  #attempts = 0;
  #isOver = false;

  constructor(url: string, onBack: () => void) {
    this.#url = url;
    this.#onBack = onBack;
    this.#connect();
  }

  /** Sends a message, unless the client is cut off or has not caught up. */
  send(conversationId: string, content: string): void {
    if (this.#socket?.readyState !== WebSocket.OPEN || !this.isCaughtUp) return;
    const params = { conversation_id: conversationId, client_msg_id: randomUUID(), content };
    this.#socket.send(JSON.stringify({ id: messageId, method: 'messages.send', params }));
  }

  await(text: string | null): void {
    this.awaited = text;
    this.wasCut = false;
    this.hasSeen = text === null;
  }

  /** Whether it has returned after it was cut off, with all that it missed. */
  get isBack(): boolean {
    return this.wasCut && this.isCaughtUp && this.hasSeen;
  }

  /** For an error: what a client that is not back waits for. */
  get state(): string {
    const socket = ['connecting', 'waiting for hello or updates', 'closing', 'closed'][this.#socket?.readyState ?? 3];
    return this.trouble ?? `${socket}, ${this.#attempts} attempts`;
  }

  cut(): void {
    this.#socket?.terminate();
  }

  end(): void {
    this.#isOver = true;
    this.cut();
  }

  #connect(): void {
    const socket = new WebSocket(this.#url, { perMessageDeflate: false, handshakeTimeout: handshakeTimeoutMs });
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#receive(data.toString()));
    socket.on('error', () => {});
    socket.on('close', () => {
      // What it receives after its return shows that it has caught up.
      this.isCaughtUp = false;
      this.wasCut = true;
      const delayMs = Math.min(longestRetryMs, firstRetryMs * 2 ** this.#attempts++);
      if (!this.#isOver) setTimeout(() => this.#connect(), delayMs * (0.5 + Math.random()));
    });
  }

  #receive(text: string): void {
    if (this.awaited !== null && text.includes(this.awaited)) this.hasSeen = true;
    // Trusts the service under test.
    const incoming = JSON.parse(text) as Incoming;
    if (incoming.method === 'events.hello') {
      this.#attempts = 0;
      const head = incoming.params?.head ?? 0;
      if (this.#last === null) {
        this.#last = head;
        this.isCaughtUp = true;
        this.greeted.resolve();
      } else this.#ask();
    } else if (incoming.id === updatesId) this.#answer(incoming);
    // Live frames that arrive during getUpdates come after its answer.
    else if (this.isCaughtUp) this.#last = incoming.seq ?? this.#last;
    this.#look();
  }

  #ask(): void {
    this.#socket?.send(
      JSON.stringify({ id: updatesId, method: 'getUpdates', params: { since: this.#last ?? 0, limit: 1_000 } }),
    );
  }

  #answer({ ok, result, error }: Incoming): void {
    if (ok !== true || result === undefined) {
      // A service that stops or has just started may refuse: the client reconnects and asks again.
      if (error?.code === 'unavailable') this.cut();
      else this.trouble ??= `getUpdates answered ${JSON.stringify(error)}`;
      return;
    }
    this.#last = result.frames.at(-1)?.seq ?? this.#last;
    if (result.more) this.#ask();
    else this.isCaughtUp = true;
  }

  #look(): void {
    if (this.isBack) this.#onBack();
  }
}

let clients: ReturningClient[] = [];
let onBack: () => void = () => {};
let sending: NodeJS.Timeout | undefined;

export async function gather({ urls, sends }: GatherJob): Promise<{ connected: number }> {
  clearInterval(sending);
  for (const client of clients) client.end();
  clients = urls.map((url) => new ReturningClient(url, () => onBack()));
  await Promise.all(clients.map((client) => client.greeted.promise));
  if (sends !== undefined) {
    let turn = 0;
    const { chatIds, text, perSecond } = sends;
    sending = setInterval(() => {
      const at = turn++ % chatIds.length;
      clients[at]?.send(chatIds[at] ?? '', text);
    }, 1_000 / perSecond);
  }
  return { connected: clients.length };
}

/** Waits until every client has been cut off, has reconnected and has caught up. */
export async function comeBack({ awaited, isCutHere, withinSeconds }: ReturnJob): Promise<ReturnResult> {
  const times: number[] = [];
  const all = Promise.withResolvers<void>();
  onBack = () => {
    const back = clients.filter((client) => client.isBack).length;
    while (times.length < back) times.push(Date.now());
    if (back === clients.length) all.resolve();
  };
  for (const client of clients) client.await(awaited);
  if (isCutHere) for (const client of clients) client.cut();
  const timeout = setTimeout(() => {
    const missing = clients.filter((client) => !client.isBack);
    const states = [...new Set(missing.map((client) => client.state))].join(', ');
    all.reject(new Error(`${missing.length} did not come back within ${withinSeconds} s: ${states}`));
  }, withinSeconds * 1_000);
  try {
    await all.promise;
  } finally {
    clearTimeout(timeout);
    onBack = () => {};
  }
  const trouble = clients.find((client) => client.trouble !== undefined)?.trouble;
  if (trouble !== undefined) throw new Error(trouble);
  return { first: times[0] ?? 0, half: times[Math.floor(times.length / 2)] ?? 0, last: times.at(-1) ?? 0 };
}
