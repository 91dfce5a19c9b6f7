import type { Message, Params, Result } from '@parley/protocol';
import { ApiError, retryAfterMs } from './api.ts';
import { retryDelayMs } from './backoff.ts';
import type { Cell } from './cell.ts';
import type { CloseReason } from './connection.ts';
import { type Deferred, deferred } from './deferred.ts';
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

/** Operations that the outbox calls until the service answers: calling one again with the same params changes nothing. */
export type ChangeName = 'editMessage' | 'setMessageReaction' | 'deleteMessages' | 'markRead';

/** A change to messages. Its params may name a message of the outbox by its `client_msg_id`. */
export type Change = { [Name in ChangeName]: { readonly name: Name; readonly params: Params<Name> } }[ChangeName];

/** A change that the service has not acknowledged. */
export interface ChangeEntry {
  /** Its id in the outbox. */
  readonly client_msg_id: string;
  readonly chat_id: string;
  readonly change: Change;
  readonly at: number;
  readonly state: 'waiting' | 'sending';
  /** It was sent before, and its answer may have been lost. */
  readonly isTried?: true;
}

/**
 * Messages to be sent and changes to be made; those of one conversation one after another, in the order of the user. Read
 * markers wait for nothing but the message that they name.
 */
export interface Outbox {
  /** Messages, oldest first. */
  readonly entries: Cell<readonly OutboxEntry[]>;
  /** Changes, oldest first. */
  readonly changes: Cell<readonly ChangeEntry[]>;
  /**
   * Makes a change once the service can be reached. It takes the place of a waiting one that it makes pointless: of
   * edits, of reactions with one emoji, and of read markers only the last is sent. Resolves to the answer, and rejects
   * with an ApiError if the service refuses; `changeRefused` reports that too, also after a reload.
   */
  change<Name extends ChangeName>(chatId: string, name: Name, params: Params<Name>): Promise<Result<Name>>;
  /** Throws if 1,000 messages are waiting, and a ConnectionError if the client is closed. */
  send(params: SendParams): OutboxEntry;
  /** Sends a failed message again. */
  retry(clientMsgId: string): void;
  /** Discards a message and the changes to it; returns false for one that is being sent. */
  discard(clientMsgId: string): boolean;
}

export type OutboxItem = OutboxEntry | ChangeEntry;

const MAX_ENTRIES = 1_000;

/** The fields of params that say what a change is about. */
interface Named {
  message_id?: string;
  message_ids?: readonly string[];
  emoji?: string;
}

const isChange = (item: OutboxItem): item is ChangeEntry => 'change' in item;

/** The ids of the messages that a change is about. */
export function idsOf({ params }: Change): readonly string[] {
  const { message_id, message_ids = [] }: Named = params;
  return message_id === undefined ? message_ids : [message_id];
}

/** A waiting change is replaced by a later one with the same subject. */
function subjectOf({ chat_id, change }: Pick<ChangeEntry, 'chat_id' | 'change'>): string {
  const { emoji }: Named = change.params;
  return JSON.stringify([change.name, change.name === 'markRead' ? chat_id : idsOf(change), emoji]);
}

/** Items of the same queue are sent one after another. A marker delays no message. */
function queueOf(item: OutboxItem): string {
  if (!isChange(item)) return item.params.chat_id;
  return item.change.name === 'markRead' ? `${item.chat_id} read` : item.chat_id;
}

interface OutboxParts {
  storage: OutboxStorage;
  lockName: string;
  locks: LockManager | undefined;
  clock: Clock;
  random: () => number;
  send: (params: SendParams) => Promise<Message>;
  change: (change: Change) => Promise<unknown>;
  /** Why the client is closed; null while it is open. */
  closeReason: () => CloseReason | null;
  /** Called without a message if another tab sent it. */
  onSent: (clientMsgId: string, message?: Message) => void;
  onRefused: (entry: ChangeEntry, error: ApiError) => void;
  /**
   * Whether events arrive. Only then changes are made: the event of a change comes before its answer, so that what it
   * changed is shown all the time.
   */
  isLive: () => boolean;
}

/** A send queue: that of a conversation, or of its read markers. */
interface ItemQueue {
  isBusy: boolean;
  attempts: number;
  /** Earliest time of the next attempt, as requested by the service. */
  notBefore: number;
  timer: Timer | null;
}

/**
 * Sends messages and makes changes until the service acknowledges them; `client_msg_id` makes retries of a message
 * harmless, and a repeated change changes nothing.
 */
export class SendQueue implements Outbox {
  readonly entries = new ValueCell<readonly OutboxEntry[]>([]);
  readonly changes = new ValueCell<readonly ChangeEntry[]>([]);
  /** Everything that waits, oldest first. */
  #items: readonly OutboxItem[] = [];
  /** Who waits for a change. */
  readonly #answers = new Map<string, Deferred<unknown>>();
  readonly #parts: OutboxParts;
  readonly #queues = new Map<string, ItemQueue>();
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
    this.#assertRoom(this.entries.get(), 'messages');
    const client_msg_id = params.client_msg_id ?? newId();
    const known = this.#find(client_msg_id);
    if (known && !isChange(known)) return known;
    const entry: OutboxEntry = {
      client_msg_id,
      params: { ...params, client_msg_id },
      at: this.#now(),
      state: 'waiting',
    };
    this.#add(entry);
    return entry;
  }

  async change<Name extends ChangeName>(chat_id: string, name: Name, params: Params<Name>): Promise<Result<Name>> {
    const change = { name, params } as Change; // a name and its params
    const subject = subjectOf({ chat_id, change });
    const same = this.changes.get().filter((one) => subjectOf(one) === subject);
    const last = same.at(-1);
    const isNew = !last || JSON.stringify(last.change) !== JSON.stringify(change);
    // One that is being sent has perhaps reached the service.
    const replaced = last?.state === 'waiting' ? last : undefined;
    const client_msg_id = (isNew ? replaced : last)?.client_msg_id ?? newId();
    if (isNew) {
      this.#assertRoom(replaced ? [] : this.changes.get(), 'changes');
      const entry: ChangeEntry = { client_msg_id, chat_id, change, at: replaced?.at ?? this.#now(), state: 'waiting' };
      if (replaced) this.#replace(entry, true);
      else this.#add(entry);
    }
    const answer = this.#answers.get(client_msg_id) ?? deferred<unknown>();
    // The refusal is reported also if the caller does not wait for it.
    answer.promise.catch(() => {});
    this.#answers.set(client_msg_id, answer);
    return answer.promise as Promise<Result<Name>>; // the answer to the operation `name`
  }

  retry(clientMsgId: string): void {
    const entry = this.#find(clientMsgId);
    if (entry?.state !== 'failed') return;
    const { error: _, ...rest } = entry;
    this.#replace({ ...rest, state: 'waiting' }, true);
    this.#pump(queueOf(entry));
  }

  discard(clientMsgId: string): boolean {
    const entry = this.#find(clientMsgId);
    if (entry?.state === 'sending') return false;
    for (const one of this.changes.get()) if (idsOf(one.change).includes(clientMsgId)) this.#end(one);
    this.#remove(clientMsgId);
    return entry !== undefined;
  }

  /** The message arrived as an event: it is stored, even if the reply was lost. */
  confirm(message: Message): void {
    const entry = this.#find(message.client_msg_id ?? '');
    if (!entry || isChange(entry) || entry.params.chat_id !== message.conversation_id) return;
    this.#sent(entry.client_msg_id, message);
    this.#remove(entry.client_msg_id);
  }

  /**
   * The log shows what became of a change whose answer may have been lost: it is not sent again, because that would undo
   * what another device has changed since.
   */
  confirmChange<Name extends ChangeName>(name: Name, isDone: (params: Params<Name>) => boolean, result: unknown): void {
    for (const one of this.changes.get())
      // The params are those of the name.
      if (one.isTried && one.change.name === name && isDone(one.change.params as Params<Name>)) this.#end(one, result);
  }

  /** The service is reachable: retry immediately. */
  kick(): void {
    for (const queue of this.#queues.values()) {
      queue.timer?.cancel();
      queue.timer = null;
      queue.attempts = 0;
    }
    this.#pumpAll(this.#items);
  }

  /** Sends what waits, and from now on what is added. */
  open(): void {
    this.#stop ??= new AbortController();
    this.#pumpAll(this.#items);
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
    const stored = await this.#parts.storage.load().catch((): OutboxItem[] => []);
    const left = stored.filter(({ client_msg_id }) => !this.#find(client_msg_id) && !this.#saved.has(client_msg_id));
    if (left.length === 0) return;
    for (const { client_msg_id, at } of left) {
      this.#saved.set(client_msg_id, Promise.resolve(true));
      this.#lastAt = Math.max(this.#lastAt, at);
    }
    this.#set([...left, ...this.#items].toSorted((a, b) => a.at - b.at));
    this.#pumpAll(left);
  }

  #set(items: readonly OutboxItem[]): void {
    this.#items = items;
    publish(
      this.entries,
      items.filter((item): item is OutboxEntry => !isChange(item)),
    );
    publish(this.changes, items.filter(isChange));
  }

  #now(): number {
    this.#lastAt = Math.max(this.#parts.clock.now(), this.#lastAt + 1);
    return this.#lastAt;
  }

  #assertRoom({ length }: readonly OutboxItem[], what: string): void {
    const reason = this.#parts.closeReason();
    if (reason !== null) throw new ConnectionError(`the client is closed (${reason}) and does not send ${what}`);
    if (length >= MAX_ENTRIES) throw new Error(`${MAX_ENTRIES} ${what} are already waiting to be sent`);
  }

  #add(item: OutboxItem): void {
    this.#save(item);
    this.#set([...this.#items, item]);
    this.#pump(queueOf(item));
  }

  #pumpAll(items: readonly OutboxItem[]): void {
    for (const name of new Set(items.map(queueOf))) this.#pump(name);
  }

  /** The oldest of a queue that can be sent: a change to a message of the outbox waits for it. */
  #next(name: string): OutboxItem | undefined {
    const isDue = (item: OutboxItem): boolean =>
      !isChange(item) || (this.#parts.isLive() && !idsOf(item.change).some((id) => this.#find(id)));
    return this.#items.find((item) => item.state === 'waiting' && queueOf(item) === name && isDue(item));
  }

  /** Sends the oldest waiting item of a queue, unless one is being sent. */
  #pump(name: string): void {
    if (!this.#stop) return;
    const { signal } = this.#stop;
    const queue = this.#queues.get(name) ?? { isBusy: false, attempts: 0, notBefore: 0, timer: null };
    this.#queues.set(name, queue);
    if (queue.isBusy || queue.timer) return;
    const item = this.#next(name);
    if (!item) return void this.#queues.delete(name);
    const waitMs = queue.notBefore - this.#parts.clock.monotonic();
    if (waitMs > 0) return this.#later(name, queue, waitMs);
    queue.isBusy = true;
    void this.#attempt(item, queue, signal).then((delayMs) => {
      queue.isBusy = false;
      if (delayMs > 0) this.#later(name, queue, delayMs);
      else this.#pump(name);
    });
    return undefined;
  }

  #later(name: string, queue: ItemQueue, delayMs: number): void {
    if (!this.#stop) return;
    queue.timer = this.#parts.clock.setTimer(() => {
      queue.timer = null;
      this.#pump(name);
    }, delayMs);
  }

  /** Sends an item; resolves to the delay before the next attempt, or 0. */
  async #attempt(item: OutboxItem, queue: ItemQueue, signal: AbortSignal): Promise<number> {
    const { client_msg_id: id } = item;
    try {
      // Saved before it is sent, so that a page closed now sends it when it is opened again.
      const isStored = await this.#saved.get(id);
      await this.#alone(queueOf(item), signal, async () => this.#send(id, isStored === true, signal));
      queue.attempts = 0;
      return 0;
    } catch (error) {
      const known = this.#find(id);
      if (error instanceof ApiError && isFinal(error)) {
        const { code, description } = error;
        if (known && isChange(known)) this.#end(known, undefined, error);
        else if (known) this.#replace({ ...known, state: 'failed', error: { code, description } }, true);
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
   * Sends while no other tab sends from the queue. A browser may refuse locks, as it does in a frame on a page of
   * another site whose storage it blocks; then the storage is not shared either, and no other tab sends the same.
   */
  async #alone(name: string, signal: AbortSignal, send: () => Promise<void>): Promise<void> {
    const { locks, lockName } = this.#parts;
    if (!locks) return send();
    let hasBegun = false;
    const begin = (): Promise<void> => {
      hasBegun = true;
      return send();
    };
    try {
      await locks.request(`${lockName}:${name}`, { signal }, begin);
    } catch (error) {
      if (hasBegun || signal.aborted) throw error;
      await send();
    }
  }

  async #send(id: string, isStored: boolean, signal: AbortSignal): Promise<void> {
    const item = this.#find(id);
    if (!item || signal.aborted) return;
    if (isStored && !(await this.#parts.storage.has(id).catch(() => true))) {
      // Another tab sent or discarded it.
      if (isChange(item)) return this.#end(item);
      this.#drop(id);
      return this.#parts.onSent(id);
    }
    if (isChange(item)) return this.#make(item);
    this.#replace({ ...item, state: 'sending' });
    const message = await this.#parts.send(item.params);
    // The event arrived before the reply.
    if (!this.#find(id)) return;
    // Reported before the entry is removed: otherwise the app would briefly show neither message nor entry.
    this.#sent(id, message);
    this.#remove(id);
  }

  async #make(entry: ChangeEntry): Promise<void> {
    const { client_msg_id: id, change } = entry;
    this.#replace({ ...entry, state: 'sending', isTried: true }, !entry.isTried);
    await this.#saved.get(id);
    const result = await this.#parts.change(change);
    const known = this.#find(id);
    if (known && isChange(known)) this.#end(known, result);
  }

  /** A message is stored: from now on the changes to it name it by its id. */
  #sent(clientMsgId: string, message: Message): void {
    this.#parts.onSent(clientMsgId, message);
    for (const one of this.changes.get()) {
      if (!idsOf(one.change).includes(clientMsgId)) continue;
      // An id takes the place of another one.
      const params = JSON.parse(
        JSON.stringify(one.change.params).replaceAll(`"${clientMsgId}"`, `"${message.id}"`),
      ) as never;
      this.#replace({ ...one, change: { name: one.change.name, params } }, true);
      // A marker has waited in a queue of its own.
      queueMicrotask(() => this.#pump(queueOf(one)));
    }
  }

  /** A change is made, refused with an error, or pointless. */
  #end(entry: ChangeEntry, result?: unknown, error?: ApiError): void {
    const { client_msg_id: id } = entry;
    this.#remove(id);
    const answer = this.#answers.get(id);
    this.#answers.delete(id);
    if (!error) return answer?.resolve(result);
    answer?.reject(error);
    return this.#parts.onRefused(entry, error);
  }

  #find(id: string): OutboxItem | undefined {
    return this.#items.find(({ client_msg_id }) => client_msg_id === id);
  }

  #replace(item: OutboxItem, isLasting = false): void {
    if (isLasting) this.#save(item);
    this.#set(this.#items.map((one) => (one.client_msg_id === item.client_msg_id ? item : one)));
  }

  /** Writes of one entry run one after another, even if the storage is slow. */
  #save(entry: OutboxItem): void {
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
    this.#set(this.#items.filter(({ client_msg_id }) => client_msg_id !== id));
  }
}

/** A list whose items did not change keeps its identity. */
function publish<Item>(cell: ValueCell<readonly Item[]>, items: readonly Item[]): void {
  const known = cell.get();
  if (known.length !== items.length || items.some((item, at) => item !== known[at])) cell.set(items);
}

/** Whether the service would refuse a repeated request too. */
const isFinal = ({ status }: ApiError): boolean =>
  status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status);

/** A UUID is not required; unlike `randomUUID`, this works on pages without https. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
