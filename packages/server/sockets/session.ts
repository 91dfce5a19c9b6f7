import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Caller } from '../store/call.ts';
import type { Clock } from '../core/clock.ts';
import type { Hub, Receiver, View } from '../log/hub.ts';
import { textFrame } from '../log/frames.ts';
import { Line } from './line.ts';
import { type RequestPorts, Requests } from './requests.ts';
import { WriteOrder } from './write-order.ts';

/** Past this much unsent, frames are skipped: the next `prev` tells (SOCKET-9). */
const SKIP_BYTES = 1024 * 1024;
/**
 * What is sent counts as unsent until the other side has answered a ping behind it: a reader that has stopped would
 * else fill megabytes of kernel memory before anything tells.
 */
const PING_EVERY_BYTES = 128 * 1024;
/** A burst is no sign of slowness: a reader at work has so long to answer. */
const PONG_PATIENCE_MS = 100;
/** With so much unanswered, frames wait here, where many sockets share them: the system would keep a copy for each. */
const HOLD_BYTES = 256 * 1024;
const MAX_UNSENT_REPLY_BYTES = 8 * 1024 * 1024;
/** With so much of replies unsent no further request begins (SOCKET-10). */
const MAX_WAITING_REPLY_BYTES = 256 * 1024;
const MAX_SLOW_MS = 30_000;
/** Silence that means a dead connection (SOCKET-8). */
const MAX_SILENCE_MS = 75_000;
/** How long the other side may take to agree to a close. */
const MAX_CLOSING_MS = 5_000;
/** Pongs under way to a reader, at most. */
const MAX_PONGS = 32;

/** What nothing is added to: most sockets hold nothing. */
const none: Buffer[] = [];

export interface Methods {
  call: (session: SocketSession, method: string, params: unknown) => Promise<string | undefined>;
  isRead: (method: string) => boolean;
  isPage: (method: string) => boolean;
}

export interface SessionParts {
  id: string;
  socket: WebSocket;
  stream: Duplex;
  caller: Caller;
  address: string;
  classes: number;
  clock: Clock;
  methods: Methods;
  hub: Hub;
}

/** One live socket: its requests, its replies, its frames, its pace. */
export class SocketSession implements Receiver, RequestPorts {
  readonly id: string;
  caller: Caller;
  readonly address: string;
  readonly classes: number;
  readonly order = new WriteOrder();
  /** Milliseconds of the service's clock. */
  readonly openedAt: number;
  /** … at the last sign of life of the other side. */
  heardAt: number;
  view: View | null = null;
  ownLast: number | null = null;
  /** How often it was asked to look elsewhere, and which of these calls it follows: not every one ends in its turn. */
  focusAsked = 0;
  focusSet = 0;
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  readonly #requests: Requests;
  readonly #methods: Methods;
  readonly #hub: Hub;
  readonly #clock: Clock;
  #isEnding = false;
  #outbox: Buffer[] | null = null;
  #outboxBytes = 0;
  #unsentReplies = 0;
  #slowSince = 0;
  #closingSince = 0;
  /** Bytes of frames handed to the stream, at the last ping, and known to be read. */
  #sent = 0;
  #pingedAt = 0;
  #confirmed = 0;
  /** When the oldest ping went out that is not answered; 0 for none. */
  #unansweredSince = 0;
  #pongs = 0;
  #newestPing: Buffer | null = null;
  #paused = false;
  /** Frames that wait for the other side to answer. */
  #held: Buffer[] = none;
  #heldBytes = 0;
  #line: Line | null = null;
  /** What the socket is greeted with, until it is. */
  #hello: ((head: number) => string) | null = null;

  constructor({ id, socket, stream, caller, address, classes, clock, methods, hub }: SessionParts) {
    this.id = id;
    this.#socket = socket;
    this.#stream = stream;
    this.caller = caller;
    this.address = address;
    this.classes = classes;
    this.#clock = clock;
    this.openedAt = clock.now();
    this.heardAt = this.openedAt;
    this.#hub = hub;
    this.#methods = methods;
    // The session itself is what its requests need of it: thousands of idle sockets have no closures to keep.
    this.#requests = new Requests(this);
  }

  get isOpen(): boolean {
    return this.#socket.readyState === 1;
  }

  /** Joins the hub; hello goes out before any frame, and nothing that is asked for is read before. */
  async greet(hello: (head: number) => string): Promise<void> {
    this.#hello = hello;
    this.regulate();
    await this.#hub.connect(this.caller.key, this.classes, this);
  }

  joined(view: View): void {
    this.view = view;
    if (this.#hello) this.#stream.write(textFrame(this.#hello(view.last)));
    this.#hello = null;
    this.regulate();
  }

  sendFrames(bytes: Buffer): void {
    if (!this.isOpen || this.#isEnding || this.isSlow) return;
    if (this.#held.length === 0 && !(this.#isSilent && this.#sent - this.#confirmed > HOLD_BYTES))
      return this.#writeFrames([bytes]);
    if (this.#held === none) this.#held = [];
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
  }

  /** A frame for this socket alone, outside the log. No later `prev` would tell of it: it is as little skipped as a reply. */
  sendText(text: string): void {
    if (!this.isOpen || this.#isEnding) return;
    const unsent = this.#unsent;
    this.#write(textFrame(text));
    this.#guardReplies(unsent);
  }

  /** Number of the last frame that this socket was sent, or that was skipped for it. */
  get head(): number {
    return this.ownLast ?? this.view?.last ?? 0;
  }

  /** The heartbeat: behind the frames that wait, if any do. */
  tick(): void {
    const text = `{"method":"events.tick","params":{"head":${this.head}}}`;
    if (this.#held.length === 0) this.sendText(text);
    else this.#held.push(textFrame(text));
  }

  /**
   * Does something that says much to this socket alone, when its turn has come: one such text is held at a time, and
   * only with a reader that has stopped does more than a few of them stay unsent (CAPS-9).
   */
  inLine(task: () => Promise<void>): Promise<void> {
    this.#line ??= new Line(() => !this.isOpen || this.mayReply());
    return this.#line.run(task);
  }

  /** The connection is no more: whoever waits for it goes on. */
  gone(): void {
    this.#line?.look();
  }

  /** True while more is under way than a reader at work would leave there. */
  get isSlow(): boolean {
    if (this.#stream.writableLength > SKIP_BYTES) return true;
    return this.#sent + this.#heldBytes - this.#confirmed > SKIP_BYTES && this.#isSilent;
  }

  /** True while a ping waits for longer than a reader at work needs to answer. */
  get #isSilent(): boolean {
    return this.#unansweredSince !== 0 && this.#clock.now() - this.#unansweredSince > PONG_PATIENCE_MS;
  }

  /** The other side has read everything up to this ping. */
  pong(payload: Buffer): void {
    const sent = Number(payload.toString('latin1'));
    const isNews = sent > this.#confirmed && sent <= this.#sent;
    if (isNews) this.#confirmed = sent;
    if (this.#confirmed >= this.#pingedAt) this.#unansweredSince = 0;
    else if (isNews) this.#unansweredSince = this.#clock.now();
    if (!this.#isSilent) this.#release();
  }

  /** Answers a ping; of those that come faster than pongs are read only the newest, as the protocol allows. */
  pinged(payload: Buffer): void {
    if (!this.isOpen) return;
    if (this.#pongs >= MAX_PONGS) {
      this.#newestPing = payload;
      return;
    }
    this.#pongs += 1;
    this.#socket.pong(payload, false, () => {
      this.#pongs -= 1;
      const newest = this.#newestPing;
      this.#newestPing = null;
      if (newest) this.pinged(newest);
    });
  }

  receive(data: Buffer, isBinary: boolean): void {
    // What still comes from a socket that closes is nobody's request any more.
    if (!this.isOpen) return;
    if (isBinary) return this.close(1003, 'binary frames are not understood');
    this.#requests.add(data);
  }

  close(code: number, reason: string): void {
    // Whoever does not answer fetches, when it comes back, what it has missed.
    if (!this.#isSilent) this.#release();
    this.#held = none;
    this.#heldBytes = 0;
    this.#requests.end();
    this.#socket.close(code, reason);
    // The other side's agreement has to be heard.
    this.#socket.resume();
  }

  /** Takes no further request and tells nothing more, but the replies that are due still go out (AUTH-7). */
  end(code: number, reason: string): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#requests.end();
    // What the same commit answers is posted within this turn.
    setImmediate(() =>
      setImmediate(() => {
        this.sendReplies(null);
        this.close(code, reason);
      }),
    );
  }

  terminate(): void {
    this.#socket.terminate();
  }

  ping(): void {
    if (!this.isOpen) return;
    this.#pingedAt = this.#sent;
    if (this.#unansweredSince === 0) this.#unansweredSince = this.#clock.now();
    this.#socket.ping(String(this.#sent));
  }

  /** Called about once a second: ends sockets that are dead or too slow. Answers whether the socket may stay. */
  check(now: number): boolean {
    if (!this.isOpen) {
      if (this.#closingSince === 0) this.#closingSince = now;
      else if (now - this.#closingSince > MAX_CLOSING_MS) this.terminate();
      return false;
    }
    if (now - this.heardAt > MAX_SILENCE_MS) {
      this.terminate();
      return false;
    }
    if (!this.isSlow) this.#slowSince = 0;
    else if (this.#slowSince === 0) this.#slowSince = now;
    else if (now - this.#slowSince > MAX_SLOW_MS) {
      this.close(1013, 'too slow');
      this.terminate();
      return false;
    }
    this.regulate();
    return true;
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

  mayReply(): boolean {
    return this.isOpen && this.#outboxBytes + this.#unsentReplies <= MAX_WAITING_REPLY_BYTES;
  }

  post(text: string): void {
    if (!this.#outbox) {
      this.#outbox = [];
      this.#hub.reply(this);
    }
    const frame = textFrame(text);
    this.#outbox.push(frame);
    this.#outboxBytes += frame.length;
  }

  sendReplies(frames: Buffer | null): void {
    const outbox = this.#outbox;
    this.#outbox = null;
    this.#outboxBytes = 0;
    if (!this.isOpen) return;
    const unsent = this.#unsent;
    if (frames) this.#stream.cork();
    if (outbox) this.#write(outbox.length === 1 && outbox[0] ? outbox[0] : Buffer.concat(outbox));
    if (frames) {
      this.sendFrames(frames);
      this.#stream.uncork();
    }
    this.#guardReplies(unsent);
  }

  get #unsent(): number {
    return Math.min(this.#unsentReplies, this.#stream.writableLength);
  }

  /** Nothing is copied: what many sockets are sent is in memory once. */
  #writeFrames(frames: readonly Buffer[]): void {
    if (frames.length > 1) this.#stream.cork();
    for (const bytes of frames) {
      this.#stream.write(bytes);
      this.#sent += bytes.length;
    }
    if (frames.length > 1) this.#stream.uncork();
    if (this.#sent - this.#pingedAt >= PING_EVERY_BYTES) this.ping();
  }

  /** Once the other side answers, and before anything else is said, so that the order stays. */
  #release(): void {
    if (this.#held.length === 0) return;
    const held = this.#held;
    this.#held = none;
    this.#heldBytes = 0;
    if (this.isOpen) this.#writeFrames(held);
  }

  /** What was unsent before: however large the newest reply is, it tells nothing of its reader. */
  #guardReplies(unsentBefore: number): void {
    if (unsentBefore > MAX_UNSENT_REPLY_BYTES) {
      this.close(1013, 'replies are not read');
      this.terminate();
    } else this.regulate();
  }

  #write(replies: Buffer): void {
    this.#release();
    this.#unsentReplies += replies.length;
    this.#stream.write(replies, () => {
      this.#unsentReplies -= replies.length;
      this.#requests.resume();
      this.#line?.look();
      if (this.#paused) this.regulate();
    });
  }

  /** A socket is not read while it has too much under way, or its replies are unsent (SOCKET-10). */
  regulate(): void {
    const unread = this.#unsentReplies > 0 && this.#stream.writableLength > this.#stream.writableHighWaterMark;
    const busy = this.#requests.isBusy || unread || this.#hello !== null;
    if (busy === this.#paused || !this.isOpen) return;
    this.#paused = busy;
    if (busy) this.#socket.pause();
    else this.#socket.resume();
  }
}
