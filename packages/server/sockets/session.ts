import type { Caller } from '../access/call.ts';
import type { Hub, Receiver, Subscription, Within } from '../log/hub.ts';
import { Connection, type ConnectionParts, type ConnectionNeeds } from './connection.ts';
import type { Share } from '../core/slices.ts';
import { FocusOrder } from './focus-order.ts';
import { Line } from './line.ts';
import { type RequestNeeds, Requests } from './requests.ts';
import { WriteOrder } from './write-order.ts';

const none: ReadonlyMap<number, number> = new Map();

export interface Methods {
  call: (session: SocketSession, method: string, params: unknown) => Promise<string | undefined>;
  isRead: (method: string) => boolean;
  isPage: (method: string) => boolean;
  shareOf: (session: SocketSession) => Share;
  admitJson: (session: SocketSession, parts: number) => void;
  countRefusal: (session: SocketSession) => void;
}

interface SessionParts extends ConnectionParts {
  id: string;
  caller: Caller;
  address: string;
  classes: number;
  /** The only conversations whose events it receives (ACCESS-9); null for all. */
  within: Within | null;
  methods: Methods;
  hub: Hub;
}

/**
 * One live socket: its account, the frames it receives, and the requests of its client. Parts that an idle socket does
 * not need are created on first use, because most of many thousand sockets are idle; the session itself is the port of
 * its parts, so that no socket keeps closures.
 */
export class SocketSession implements Receiver, RequestNeeds, ConnectionNeeds {
  readonly id: string;
  caller: Caller;
  readonly address: string;
  readonly classes: number;
  readonly within: Within | null;
  readonly connection: Connection;
  subscription: Subscription | null = null;
  ownLast: number | null = null;
  /** Numbers of the newest snapshots that this socket alone was sent, by message key; null for none (CAPS-9). */
  #alone: Map<number, number> | null = null;
  #aloneLast = 0;
  readonly #methods: Methods;
  readonly #hub: Hub;
  /** Makes the hello; null once it is sent. */
  #hello: ((head: number) => string) | null = null;
  #requests: Requests | null = null;
  #line: Line | null = null;
  #order: WriteOrder | null = null;
  #focusOrder: FocusOrder | null = null;

  constructor({ id, caller, address, classes, within, methods, hub, ...connection }: SessionParts) {
    this.id = id;
    this.caller = caller;
    this.address = address;
    this.classes = classes;
    this.within = within;
    this.#methods = methods;
    this.#hub = hub;
    this.connection = new Connection(this, connection);
  }

  get order(): WriteOrder {
    return (this.#order ??= new WriteOrder());
  }

  get focusOrder(): FocusOrder {
    return (this.#focusOrder ??= new FocusOrder());
  }

  get isOpen(): boolean {
    return this.connection.can.sendsReplies;
  }

  get isAttentive(): boolean {
    return this.connection.isAttentive;
  }

  /** Number of the last frame that this socket was sent, or that was skipped for it. */
  get head(): number {
    return this.ownLast ?? this.subscription?.last ?? 0;
  }

  /** Joins the hub. The hello is sent before any frame, and no request is read before it. */
  async greet(hello: (head: number) => string): Promise<void> {
    this.#hello = hello;
    this.regulate();
    await this.#hub.connect(this.caller.key, this.classes, this, this.within);
  }

  joined(subscription: Subscription): void {
    this.subscription = subscription;
    this.connection.join(this.#hello?.(subscription.last) ?? null);
    this.#hello = null;
    this.regulate();
  }

  receive(data: Buffer, isBinary: boolean): void {
    if (!this.connection.can.takesRequests) return;
    if (isBinary) return this.close(1003, 'binary frames are not understood');
    this.#requests ??= new Requests(this);
    this.#requests.add(data);
  }

  sendFrames(bytes: Buffer): void {
    this.connection.sendFrames(bytes);
  }

  /** Sends a frame outside the log to this socket alone (LOG-11). */
  sendText(text: string): void {
    this.connection.sendText(text);
    this.regulate();
  }

  /** Numbers of the newest snapshots that this socket alone was sent, by message key (CAPS-9). */
  get alone(): ReadonlyMap<number, number> {
    return this.#alone ?? none;
  }

  /**
   * Sends the snapshot of an open reply to this socket alone, under a number of its own: the newest that the socket has.
   * The next frame of the log keeps its own `prev`, which is lower.
   */
  sendSnapshot(messageKey: number, params: string, seq: number, isOpen: (messageKey: number) => boolean): void {
    const prev = Math.max(this.head, this.#aloneLast);
    this.#aloneLast = seq;
    this.#alone ??= new Map();
    for (const key of this.#alone.keys()) if (!isOpen(key)) this.#alone.delete(key);
    this.#alone.set(messageKey, seq);
    this.sendText(`{"method":"events.messageNew","params":${params},"seq":${seq},"prev":${prev}}`);
  }

  tick(): void {
    this.connection.sendTick(`{"method":"events.tick","params":{"head":${this.head}}}`);
    this.regulate();
  }

  /** Called with each heartbeat: drops what an idle socket does not need. */
  rest(): void {
    if (this.#requests && !this.#requests.isIdle) return;
    // Kept in the other states, where they refuse further requests.
    if (this.connection.can.takesRequests) this.#requests = null;
    if (this.#order?.isIdle) this.#order = null;
  }

  /**
   * Runs a task that sends large texts to this socket alone. It waits for earlier tasks, and until the socket may
   * reply, so that few such texts are unsent at a time (CAPS-9).
   */
  inLine(task: () => Promise<void>): Promise<void> {
    this.#line ??= new Line(() => !this.isOpen || this.mayReply());
    return this.#line.run(task);
  }

  /** Takes no further request and sends no frame, but still sends the replies that are due (AUTH-7). */
  end(code: number, reason: string): void {
    if (!this.connection.end()) return;
    this.#requests?.end();
    // Replies to units of the same commit are posted within this tick of the event loop.
    setImmediate(() =>
      setImmediate(() => {
        this.sendReplies(null);
        this.close(code, reason);
      }),
    );
  }

  close(code: number, reason: string): void {
    this.connection.close(code, reason);
    this.#requests?.end();
  }

  /** Called when the connection is closed: tasks stop waiting for its reader. */
  gone(): void {
    this.connection.gone();
    this.#line?.look();
  }

  /** Called about once a second. Returns false if the connection is ending or has ended. */
  check(now: number): boolean {
    const isStaying = this.connection.check(now);
    if (isStaying) this.regulate();
    return isStaying;
  }

  call(method: string, params: unknown): Promise<string | undefined> {
    return this.#methods.call(this, method, params);
  }

  isRead(method: string): boolean {
    return this.#methods.isRead(method);
  }

  isPage(method: string): boolean {
    return this.#methods.isPage(method);
  }

  get share(): Share {
    return this.#methods.shareOf(this);
  }

  admitJson(parts: number): void {
    this.#methods.admitJson(this, parts);
  }

  countRefusal(): void {
    this.#methods.countRefusal(this);
  }

  mayReply(): boolean {
    return this.isOpen && !this.connection.isFull;
  }

  post(text: string): void {
    if (this.connection.post(text)) this.#hub.reply(this);
  }

  sendReplies(frames: Buffer | null): void {
    this.connection.sendReplies(frames);
    this.regulate();
  }

  heard(): void {
    if (this.subscription && this.isAttentive) this.#hub.attended(this.subscription);
  }

  repliesSent(): void {
    this.#requests?.resume();
    this.#line?.look();
    this.regulate();
  }

  regulate(): void {
    this.connection.regulate(this.#hello !== null || this.#requests?.isBusy === true);
  }
}
