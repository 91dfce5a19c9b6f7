import type { Message, Params } from '@parley/protocol';
import { ApiError, retryAfterMs } from './api.ts';
import { retryDelayMs } from './backoff.ts';
import type { Cell } from './cell.ts';
import type { CloseReason } from './connection.ts';
import type { Clock, LockManager, Timer } from './environment.ts';
import type { OutboxStorage } from './outbox-storage.ts';
import { ConnectionError } from './requests.ts';
import { ValueCell } from './value-cell.ts';

/** The params of `sendMessage`. `client_msg_id` is generated if absent. */
export type SendParams = Params<'sendMessage'>;

/** A message that the service has not acknowledged. */
export interface OutboxEntry {
  readonly client_msg_id: string;
  readonly params: SendParams & { client_msg_id: string };
  /** Creation time in milliseconds since the epoch; strictly increasing. */
  readonly at: number;
  /** `failed`: the service refused the message; it waits for `retry` or `discard`. */
  readonly state: 'waiting' | 'sending' | 'failed';
  readonly error?: Pick<ApiError, 'code' | 'description'>;
}

/** Messages to be sent; those of one conversation are sent one after another. */
export interface Outbox {
  /** Oldest first. */
  readonly entries: Cell<readonly OutboxEntry[]>;
  /** Throws if 1,000 messages are waiting, and a ConnectionError if the client is closed. */
  send(params: SendParams): OutboxEntry;
  /** Sends a failed message again. */
  retry(clientMsgId: string): void;
  /** Discards a message; returns false for one that is being sent. */
  discard(clientMsgId: string): boolean;
}

const MAX_ENTRIES = 1_000;

interface OutboxParts {
  storage: OutboxStorage;
  lockName: string;
  locks: LockManager | undefined;
  clock: Clock;
  random: () => number;
  send: (params: SendParams) => Promise<Message>;
  /** Why the client is closed; null while it is open. */
  closeReason: () => CloseReason | null;
  /** Called without a message if another tab sent it. */
  onSent: (clientMsgId: string, message?: Message) => void;
}

/** The send queue of one conversation. */
interface ChatQueue {
  isBusy: boolean;
  attempts: number;
  /** Earliest time of the next attempt, as requested by the service. */
  notBefore: number;
  timer: Timer | null;
}

/** Sends messages until the service acknowledges them; `client_msg_id` makes retries harmless. */
export class SendQueue implements Outbox {
  readonly entries = new ValueCell<readonly OutboxEntry[]>([]);
  readonly #parts: OutboxParts;
  readonly #queues = new Map<string, ChatQueue>();
  /** Null until `open`, and after `close`: nothing is sent. */
  #stop: AbortController | null = null;
  /** Storage writes by entry, pending or done; false if the write failed. */
  readonly #saved = new Map<string, Promise<boolean>>();
  #lastAt = 0;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    void this.#load();
  }

  send(params: SendParams): OutboxEntry {
    const reason = this.#parts.closeReason();
    if (reason !== null) throw new ConnectionError(`the client is closed (${reason}) and does not send messages`);
    const before = this.entries.get();
    if (before.length >= MAX_ENTRIES) throw new Error(`${MAX_ENTRIES} messages are already waiting to be sent`);
    this.#lastAt = Math.max(this.#parts.clock.now(), this.#lastAt + 1);
    const client_msg_id = params.client_msg_id ?? newId();
    const known = before.find((one) => one.client_msg_id === client_msg_id);
    if (known) return known;
    const entry: OutboxEntry = {
      client_msg_id,
      params: { ...params, client_msg_id },
      at: this.#lastAt,
      state: 'waiting',
    };
    this.#save(entry);
    this.entries.set([...before, entry]);
    this.#pump(params.chat_id);
    return entry;
  }

  retry(clientMsgId: string): void {
    const entry = this.#find(clientMsgId);
    if (entry?.state !== 'failed') return;
    const { error: _, ...rest } = entry;
    this.#replace({ ...rest, state: 'waiting' }, true);
    this.#pump(entry.params.chat_id);
  }

  discard(clientMsgId: string): boolean {
    const entry = this.#find(clientMsgId);
    if (entry?.state === 'sending') return false;
    this.#remove(clientMsgId);
    return entry !== undefined;
  }

  /** The message arrived as an event: it is stored, even if the reply was lost. */
  confirm(message: Message): void {
    const entry = this.#find(message.client_msg_id ?? '');
    if (entry?.params.chat_id !== message.conversation_id) return;
    this.#parts.onSent(entry.client_msg_id, message);
    this.#remove(entry.client_msg_id);
  }

  /** The service is reachable: retry immediately. */
  kick(): void {
    for (const [chatId, queue] of this.#queues) {
      queue.timer?.cancel();
      queue.timer = null;
      queue.attempts = 0;
      this.#pump(chatId);
    }
  }

  /** Sends what waits, and from now on what is added. */
  open(): void {
    this.#stop ??= new AbortController();
    this.#pumpAll(this.entries.get());
  }

  /** Sends nothing until `open`. A message whose reply has not arrived waits again. */
  close(): void {
    this.#stop?.abort();
    this.#stop = null;
    for (const queue of this.#queues.values()) {
      queue.timer?.cancel();
      queue.timer = null;
    }
  }

  async #load(): Promise<void> {
    const stored = await this.#parts.storage.load().catch((): OutboxEntry[] => []);
    const own = this.entries.get();
    const left = stored.filter(({ client_msg_id }) => !this.#find(client_msg_id) && !this.#saved.has(client_msg_id));
    if (left.length === 0) return;
    for (const { client_msg_id, at } of left) {
      this.#saved.set(client_msg_id, Promise.resolve(true));
      this.#lastAt = Math.max(this.#lastAt, at);
    }
    this.entries.set([...left, ...own].toSorted((a, b) => a.at - b.at));
    this.#pumpAll(left);
  }

  #pumpAll(entries: readonly OutboxEntry[]): void {
    for (const chatId of new Set(entries.map(({ params }) => params.chat_id))) this.#pump(chatId);
  }

  /** Sends the oldest waiting message of a conversation, unless one is being sent. */
  #pump(chatId: string): void {
    if (!this.#stop) return;
    const { signal } = this.#stop;
    const queue = this.#queues.get(chatId) ?? { isBusy: false, attempts: 0, notBefore: 0, timer: null };
    this.#queues.set(chatId, queue);
    if (queue.isBusy || queue.timer) return;
    const entry = this.entries.get().find(({ params, state }) => params.chat_id === chatId && state === 'waiting');
    if (!entry) return void this.#queues.delete(chatId);
    const waitMs = queue.notBefore - this.#parts.clock.monotonic();
    if (waitMs > 0) return this.#later(chatId, queue, waitMs);
    queue.isBusy = true;
    void this.#attempt(entry, queue, signal).then((delayMs) => {
      queue.isBusy = false;
      if (delayMs > 0) this.#later(chatId, queue, delayMs);
      else this.#pump(chatId);
    });
    return undefined;
  }

  #later(chatId: string, queue: ChatQueue, delayMs: number): void {
    if (!this.#stop) return;
    queue.timer = this.#parts.clock.setTimer(() => {
      queue.timer = null;
      this.#pump(chatId);
    }, delayMs);
  }

  /** Sends a message; resolves to the delay before the next attempt, or 0. */
  async #attempt({ client_msg_id: id, params }: OutboxEntry, queue: ChatQueue, signal: AbortSignal): Promise<number> {
    try {
      // Saved before it is sent, so that a page closed now sends it when it is opened again.
      const isStored = await this.#saved.get(id);
      await this.#alone(params.chat_id, signal, async () => this.#send(id, isStored === true, signal));
      queue.attempts = 0;
      return 0;
    } catch (error) {
      const known = this.#find(id);
      if (error instanceof ApiError && isFinal(error)) {
        const { code, description } = error;
        if (known) this.#replace({ ...known, state: 'failed', error: { code, description } }, true);
        return 0;
      }
      if (known) this.#replace({ ...known, state: 'waiting' });
      if (signal.aborted) return 0;
      const askedMs = retryAfterMs(error);
      queue.notBefore = this.#parts.clock.monotonic() + askedMs;
      queue.attempts += 1;
      return Math.max(1, askedMs, retryDelayMs(queue.attempts, this.#parts.random));
    }
  }

  /**
   * Sends while no other tab sends in the conversation. A browser may refuse locks, as it does in a frame on a page of
   * another site whose storage it blocks; then the storage is not shared either, and no other tab sends the same.
   */
  async #alone(chatId: string, signal: AbortSignal, send: () => Promise<void>): Promise<void> {
    const { locks, lockName } = this.#parts;
    if (!locks) return send();
    let hasBegun = false;
    const begin = (): Promise<void> => {
      hasBegun = true;
      return send();
    };
    try {
      await locks.request(`${lockName}:${chatId}`, { signal }, begin);
    } catch (error) {
      if (hasBegun || signal.aborted) throw error;
      await send();
    }
  }

  async #send(id: string, isStored: boolean, signal: AbortSignal): Promise<void> {
    const entry = this.#find(id);
    if (!entry || signal.aborted) return;
    if (isStored && !(await this.#parts.storage.has(id).catch(() => true))) {
      // Another tab sent or discarded it.
      this.#drop(id);
      return this.#parts.onSent(id);
    }
    this.#replace({ ...entry, state: 'sending' });
    const message = await this.#parts.send(entry.params);
    // The event arrived before the reply.
    if (!this.#find(id)) return;
    // Reported before the entry is removed: otherwise the app would briefly show neither message nor entry.
    this.#parts.onSent(id, message);
    this.#remove(id);
  }

  #find(id: string): OutboxEntry | undefined {
    return this.entries.get().find(({ client_msg_id }) => client_msg_id === id);
  }

  #replace(entry: OutboxEntry, isLasting = false): void {
    if (isLasting) this.#save(entry);
    this.entries.set(this.entries.get().map((one) => (one.client_msg_id === entry.client_msg_id ? entry : one)));
  }

  /** Writes of one entry run one after another, even if the storage is slow. */
  #save(entry: OutboxEntry): void {
    const before = this.#saved.get(entry.client_msg_id) ?? Promise.resolve(true);
    const saved = before
      .then(() => this.#parts.storage.save(entry))
      .then(
        () => true,
        // The storage is full: the message is still sent while the page is open.
        () => false,
      );
    this.#saved.set(entry.client_msg_id, saved);
  }

  #remove(id: string): void {
    const before = this.#saved.get(id) ?? Promise.resolve(true);
    this.#drop(id);
    // An entry that cannot be removed is sent again later, which has no effect.
    void before.then(() => this.#parts.storage.remove(id)).catch(() => {});
  }

  #drop(id: string): void {
    this.#saved.delete(id);
    this.entries.set(this.entries.get().filter(({ client_msg_id }) => client_msg_id !== id));
  }
}

/** Whether the service would refuse a repeated request too. */
const isFinal = ({ status }: ApiError): boolean =>
  status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status);

/** A UUID is not required; unlike `randomUUID`, this works on pages without https. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
