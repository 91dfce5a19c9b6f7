import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '../core/clock.ts';
import { textFrame } from '../log/frames.ts';
import type { Reader } from './paced-frames.ts';
import { Pongs } from './pongs.ts';
import { type Abilities, abilities, nextSessionState, type SessionEvent, type SessionState } from './session-states.ts';
import { SocketWriter } from './socket-writer.ts';

/** How long a reader may stay too slow for its frames before its socket is closed (SOCKET-9). */
const MAX_SLOW_MS = 30_000;
/** How long a connection may be silent before it counts as dead (SOCKET-8). */
const MAX_SILENCE_MS = 75_000;
/** How long a client may take to complete the close handshake (SOCKET-11). */
const MAX_CLOSING_MS = 5_000;

export interface ConnectionParts {
  socket: WebSocket;
  stream: Duplex;
  clock: Clock;
}

/** What a connection reports to its session. */
export interface ConnectionNeeds {
  /** Called when the system has taken replies, so that further requests may begin. */
  repliesSent: () => void;
  /** Called when the client has given a sign of life. */
  heard: () => void;
}

/** The connection of one socket: its state, what is written to it, whether its reader keeps up, and how it closes. */
export class Connection implements Reader {
  /** When the socket was opened, by the service's monotonic clock. */
  readonly openedAt: number;
  /** When the client last gave a sign of life, by the service's monotonic clock. */
  heardAt: number;
  isHeard = false;
  readonly #needs: ConnectionNeeds;
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  readonly #clock: Clock;
  #state: SessionState = 'greeting';
  #isPaused = false;
  /** When `check` first found the connection too slow or closing; null if it is neither. */
  #overdueSince: number | null = null;
  /** Created with the first write after the hello. */
  #writer: SocketWriter | null = null;
  /** Created with the first ping of the client. */
  #pongs: Pongs | null = null;

  constructor(needs: ConnectionNeeds, { socket, stream, clock }: ConnectionParts) {
    this.#needs = needs;
    this.#socket = socket;
    this.#stream = stream;
    this.#clock = clock;
    this.openedAt = clock.monotonic();
    this.heardAt = this.openedAt;
  }

  /**
   * What the socket may do now. Checks `ws` first, which does not report a client's close until the connection ends.
   */
  get can(): Abilities {
    if (this.#socket.readyState !== 1) this.#enter('disconnect');
    return abilities[this.#state];
  }

  /** True while frames are skipped (SOCKET-9). */
  get isSlow(): boolean {
    return this.#writer?.isSlow === true;
  }

  /** True if the client has given a sign of life and leaves no ping unanswered: its frames go first (SOCKET-16). */
  get isAttentive(): boolean {
    return this.isHeard && this.#writer?.isSilent !== true;
  }

  /** True while so many replies are unsent that no further request may begin (SOCKET-10). */
  get isFull(): boolean {
    return this.#writer?.isFull === true;
  }

  /** Called when the client gives a sign of life. */
  heard(): void {
    this.isHeard = true;
    this.heardAt = this.#clock.monotonic();
    this.#needs.heard();
  }

  /** Called when the hub has added the socket: sends the hello before any frame. */
  join(hello: string | null): void {
    this.#enter('join');
    if (hello !== null) this.#stream.write(textFrame(hello));
  }

  /** Sends frames of the log, unless they must be skipped; then the next `prev` shows the gap (SOCKET-9). */
  sendFrames(bytes: Buffer): void {
    if (this.can.sendsFrames) this.#output.sendFrames(bytes);
  }

  /** Sends a text that is not skipped for a slow reader. */
  sendText(text: string): void {
    if (this.can.sendsFrames) this.#keepReader(this.#output.sendText(text));
  }

  /** Sends a heartbeat, behind the frames that are held. */
  sendTick(text: string): void {
    if (this.can.sendsFrames) this.#keepReader(this.#output.sendTick(text));
  }

  /** Queues a reply for the next `sendReplies`. Returns true if the caller must request one. */
  post(text: string): boolean {
    return this.#output.post(text);
  }

  /** Sends the queued replies, and then the frames. */
  sendReplies(frames: Buffer | null): void {
    const { sendsFrames, sendsReplies } = this.can;
    if (!sendsReplies) this.#writer?.dropReplies();
    else this.#keepReader(this.#output.sendReplies(sendsFrames ? frames : null));
  }

  ping(): void {
    if (this.can.sendsReplies) this.#output.ping();
  }

  /** Called when the client has answered a ping. */
  pong(payload: Buffer): void {
    if (this.can.sendsReplies) this.#writer?.answered(payload);
    this.heard();
    // Most sockets are idle until the next heartbeat.
    if (this.#writer?.isSettled) this.#writer = null;
  }

  /** Called when the client has sent a ping. */
  pinged(payload: Buffer): void {
    this.heard();
    this.#pongs ??= new Pongs(this.#socket);
    this.#pongs.answer(payload);
  }

  /** Pauses reading from the socket while too many requests are in flight or replies fill the stream (SOCKET-10). */
  regulate(isBusy: boolean): void {
    const mustPause = isBusy || this.#writer?.isBlocked === true;
    if (mustPause === this.#isPaused || !this.can.sendsReplies) return;
    this.#isPaused = mustPause;
    if (mustPause) this.#socket.pause();
    else this.#socket.resume();
  }

  /** From now on the socket only sends the replies that are due. Returns false if it already ends or closes. */
  end(): boolean {
    return this.#enter('end');
  }

  /** Begins the close handshake, unless it has already begun. */
  close(code: number, reason: string): void {
    if (this.can.sendsReplies) this.#writer?.end();
    if (!this.#enter('close')) return;
    this.#socket.close(code, reason);
    // The client's close frame must be read.
    this.#socket.resume();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  gone(): void {
    this.#enter('gone');
  }

  /**
   * Ends the connection if it is dead or too slow; called about once a second. Returns false if it is ending or has
   * ended.
   */
  check(now: number): boolean {
    if (!this.can.sendsReplies) {
      if (this.#isOverdue(now, true, MAX_CLOSING_MS)) this.terminate();
      return false;
    }
    if (now - this.heardAt > MAX_SILENCE_MS) this.terminate();
    else if (this.#isOverdue(now, this.isSlow, MAX_SLOW_MS)) this.#cutOff('too slow');
    else return true;
    return false;
  }

  get #output(): SocketWriter {
    return (this.#writer ??= new SocketWriter(this.#socket, this.#stream, this.#clock, this, this.#needs));
  }

  /** Returns false if the event is ignored. */
  #enter(event: SessionEvent): boolean {
    const next = nextSessionState(this.#state, event);
    if (next === null) return false;
    this.#state = next;
    this.#overdueSince = null;
    return true;
  }

  #isOverdue(now: number, isLate: boolean, maxMs: number): boolean {
    if (!isLate) this.#overdueSince = null;
    else if (this.#overdueSince === null) this.#overdueSince = now;
    else return now - this.#overdueSince > maxMs;
    return false;
  }

  #keepReader(hasRead: boolean): void {
    if (!hasRead) this.#cutOff('replies are not read');
  }

  #cutOff(reason: string): void {
    this.close(1013, reason);
    this.terminate();
  }
}
