import type { Message, Params } from '@parley/protocol';
import { ApiError } from './api.ts';
import { retryDelayMs } from './backoff.ts';
import type { Cell } from './cell.ts';
import type { CloseReason } from './connection.ts';
import type { Clock, LockManager, Timer } from './environment.ts';
import type { OutboxStorage } from './outbox-storage.ts';
import { ConnectionError } from './requests.ts';
import { ValueCell } from './value-cell.ts';

/** What `sendMessage` takes. A `client_msg_id` is made where none is given. */
export type SendParams = Params<'sendMessage'>;

/** A message that is not known to be stored. */
export interface OutboxEntry {
  readonly client_msg_id: string;
  readonly params: SendParams & { client_msg_id: string };
  /** Milliseconds since the epoch, later than those of all entries before it. */
  readonly at: number;
  /** `failed`: the service refuses it; it waits for `retry` or `discard`. */
  readonly state: 'waiting' | 'sending' | 'failed';
  readonly error?: Pick<ApiError, 'code' | 'description'>;
}

/** Messages on their way, those of one conversation one after another. */
export interface Outbox {
  /** Oldest first. */
  readonly entries: Cell<readonly OutboxEntry[]>;
  /** Throws when there are 1,000 already, and a ConnectionError when the client is closed. */
  send(params: SendParams): OutboxEntry;
  /** Sends a failed one again. */
  retry(clientMsgId: string): void;
  /** Gives one up; one that is being sent cannot be taken back: false. */
  discard(clientMsgId: string): boolean;
}

const MOST_ENTRIES = 1_000;

export interface OutboxParts {
  storage: OutboxStorage;
  lockName: string;
  locks: LockManager | undefined;
  clock: Clock;
  random: () => number;
  send: (params: SendParams) => Promise<Message>;
  /** Why the client is closed; null while it is not. */
  closeReason: () => CloseReason | null;
  /** Without a message where another tab has sent it. */
  onSent: (clientMsgId: string, message?: Message) => void;
}

/** The way of one conversation's messages. */
interface Lane {
  isBusy: boolean;
  attempts: number;
  /** The service has asked to wait so long. */
  notBefore: number;
  timer: Timer | null;
}

/** Sends what is in it until the service has it; a `client_msg_id` makes a repeat harmless. */
export class SendQueue implements Outbox {
  readonly entries = new ValueCell<readonly OutboxEntry[]>([]);
  readonly #parts: OutboxParts;
  readonly #lanes = new Map<string, Lane>();
  readonly #stop = new AbortController();
  /** Writes of the storage under way or done, by entry; false where it would not take it. */
  readonly #saved = new Map<string, Promise<boolean>>();
  #lastAt = 0;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    void this.#load();
  }

  send(params: SendParams): OutboxEntry {
    const reason = this.#parts.closeReason();
    if (reason !== null) throw new ConnectionError(`the client is closed (${reason}): it sends nothing any more`);
    const before = this.entries.get();
    if (before.length >= MOST_ENTRIES) throw new Error(`${MOST_ENTRIES} messages are waiting to be sent already`);
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

  /** It has come as an event: whatever becomes of the reply, it is stored. */
  confirm(message: Message): void {
    const entry = this.#find(message.client_msg_id ?? '');
    if (entry?.params.chat_id !== message.conversation_id) return;
    this.#parts.onSent(entry.client_msg_id, message);
    this.#remove(entry.client_msg_id);
  }

  /** The service can be reached: what waits need not. */
  kick(): void {
    for (const [chatId, lane] of this.#lanes) {
      lane.timer?.cancel();
      lane.timer = null;
      lane.attempts = 0;
      this.#pump(chatId);
    }
  }

  close(): void {
    this.#stop.abort();
    for (const { timer } of this.#lanes.values()) timer?.cancel();
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
    for (const chatId of new Set(left.map(({ params }) => params.chat_id))) this.#pump(chatId);
  }

  /** Begins with the oldest of a conversation that waits, unless one is on its way. */
  #pump(chatId: string): void {
    const lane = this.#lanes.get(chatId) ?? { isBusy: false, attempts: 0, notBefore: 0, timer: null };
    this.#lanes.set(chatId, lane);
    if (lane.isBusy || lane.timer || this.#stop.signal.aborted) return;
    const entry = this.entries.get().find(({ params, state }) => params.chat_id === chatId && state === 'waiting');
    if (!entry) return void this.#lanes.delete(chatId);
    const waitMs = lane.notBefore - this.#parts.clock.now();
    if (waitMs > 0) return this.#later(chatId, lane, waitMs);
    lane.isBusy = true;
    void this.#attempt(entry, lane).then((delayMs) => {
      lane.isBusy = false;
      if (delayMs > 0) this.#later(chatId, lane, delayMs);
      else this.#pump(chatId);
    });
    return undefined;
  }

  #later(chatId: string, lane: Lane, delayMs: number): void {
    if (this.#stop.signal.aborted) return;
    lane.timer = this.#parts.clock.setTimer(() => {
      lane.timer = null;
      this.#pump(chatId);
    }, delayMs);
  }

  /** Tries one; answers after how long the next try may be. */
  async #attempt({ client_msg_id: id, params }: OutboxEntry, lane: Lane): Promise<number> {
    const { locks, lockName } = this.#parts;
    try {
      // Stored before it is sent: a page that is closed now sends it when it is opened again.
      const isStored = await this.#saved.get(id);
      const send = (): Promise<void> => this.#send(id, isStored === true);
      // One tab at a time in a conversation.
      if (locks) await locks.request(`${lockName}:${params.chat_id}`, { signal: this.#stop.signal }, send);
      else await send();
      lane.attempts = 0;
      return 0;
    } catch (error) {
      if (this.#stop.signal.aborted) return 0;
      const known = this.#find(id);
      if (error instanceof ApiError && isFinal(error)) {
        const { code, description } = error;
        if (known) this.#replace({ ...known, state: 'failed', error: { code, description } }, true);
        return 0;
      }
      if (known) this.#replace({ ...known, state: 'waiting' });
      const retryAfter = error instanceof ApiError ? Number(error.parameters['retry_after'] ?? 0) : 0;
      lane.notBefore = this.#parts.clock.now() + retryAfter * 1000;
      lane.attempts += 1;
      return Math.max(1, retryAfter * 1000, retryDelayMs(lane.attempts, this.#parts.random));
    }
  }

  async #send(id: string, isStored: boolean): Promise<void> {
    const entry = this.#find(id);
    if (!entry || this.#stop.signal.aborted) return;
    if (isStored && !(await this.#parts.storage.has(id).catch(() => true))) {
      // Another tab has sent it, or given it up.
      this.#drop(id);
      return this.#parts.onSent(id);
    }
    this.#replace({ ...entry, state: 'sending' });
    const message = await this.#parts.send(entry.params);
    // The event was faster.
    if (!this.#find(id)) return;
    // Told first: whoever shows it has the message before the entry goes.
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

  /** Writes of one entry come one after another, also where the storage takes its time. */
  #save(entry: OutboxEntry): void {
    const before = this.#saved.get(entry.client_msg_id) ?? Promise.resolve(true);
    const saved = before
      .then(() => this.#parts.storage.save(entry))
      .then(
        () => true,
        // A full storage: it is sent all the same, while the page is open.
        () => false,
      );
    this.#saved.set(entry.client_msg_id, saved);
  }

  #remove(id: string): void {
    const before = this.#saved.get(id) ?? Promise.resolve(true);
    this.#drop(id);
    // What stays there for want of an answer is sent again, and changes nothing.
    void before.then(() => this.#parts.storage.remove(id)).catch(() => {});
  }

  #drop(id: string): void {
    this.#saved.delete(id);
    this.entries.set(this.entries.get().filter(({ client_msg_id }) => client_msg_id !== id));
  }
}

/** A refusal that the same request gets again. */
const isFinal = ({ status }: ApiError): boolean =>
  status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status);

/** Unguessable is more than it needs to be; unlike `randomUUID` it is there on pages without https. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
