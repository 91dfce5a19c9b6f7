import type { Outgoing, Run } from './frames.ts';

/** A socket, as far as it is written to. */
export interface FrameReceiver {
  readonly view: Audience | null;
  /** Number of the last frame meant for this socket, where it was left out of newer ones; null: as its audience. */
  ownLast: number | null;
  /** Frames in order; the receiver may skip them when its other side is slow: the next `prev` tells. */
  sendFrames(bytes: Buffer): void;
  /** Tells the number that its view stands at: whoever has seen less asks for what it has missed. */
  tick(): void;
  /** Its replies that wait, and the frames of this turn, in one write. */
  sendReplies(frames: Buffer | null): void;
}

/** Sockets that get the same frames, and what has gathered for them. */
export interface Audience {
  /** The number of the last frame, sent or skipped. */
  last: number;
  /** Frames since the last write, and the number before them. */
  run: Run | null;
  runPrev: number;
  readonly receivers: readonly FrameReceiver[];
}

/** Writes between two looks at what the sockets and the store have brought. */
const WRITES_PER_SLICE = 48;

/** Gathers the frames of a turn of the loop, and writes them in slices, replies first. */
export class FrameWriter {
  readonly #skipped = new Set<Audience>();
  #dirty: Audience[] = [];
  #replying: FrameReceiver[] = [];
  #isScheduled = false;

  /** The frame waits with what has gathered for them. */
  give(audience: Audience, outgoing: Outgoing): void {
    if (audience.run === null) {
      audience.run = outgoing.alone;
      audience.runPrev = audience.last;
      this.#dirty.push(audience);
      this.#schedule();
    } else audience.run = audience.run.followedBy(outgoing);
    audience.last = outgoing.seq;
  }

  /** Sends a frame to all but one socket, whose next `prev` does not count it. */
  giveOthers(audience: Audience, outgoing: Outgoing, except: FrameReceiver): void {
    this.flushFor(audience);
    except.ownLast ??= audience.last;
    this.give(audience, outgoing);
    this.#flushBut(audience, except);
  }

  /** They are told that there is something to fetch up to this number. */
  skip(audience: Audience, seq: number): void {
    this.flushFor(audience);
    audience.last = Math.max(audience.last, seq);
    for (const receiver of audience.receivers) receiver.ownLast = null;
    this.#skipped.add(audience);
    this.#schedule();
  }

  /** A socket has replies to send: they go out before anybody's frames. */
  reply(receiver: FrameReceiver): void {
    this.#replying.push(receiver);
    this.#schedule();
  }

  /** Writes all that has gathered. */
  flush(): void {
    while (this.#isWaiting) this.#writeSlice();
  }

  /** Writes what has gathered for these. */
  flushFor(audience: Audience): void {
    this.#flushBut(audience, null);
  }

  #flushBut(audience: Audience, except: FrameReceiver | null): void {
    const { run, runPrev, receivers } = audience;
    if (!run) return;
    audience.run = null;
    for (const receiver of receivers) if (receiver !== except) receiver.sendFrames(bytesFor(receiver, run, runPrev));
  }

  get #isWaiting(): boolean {
    return this.#replying.length > 0 || this.#dirty.length > 0 || this.#skipped.size > 0;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#writeSlice();
      if (this.#isWaiting) this.#schedule();
    });
  }

  /**
   * Writes to some of the sockets that wait, each once, however many events came (SOCKET-6). Between two slices the
   * loop reads requests and the store gets its work; what is published meanwhile joins the frames that still wait.
   */
  #writeSlice(): void {
    const replying = this.#replying.splice(0, WRITES_PER_SLICE);
    for (const receiver of replying) this.#writeReplies(receiver);
    let left = WRITES_PER_SLICE - replying.length;
    if (left > 0) for (const audience of this.#dirty.splice(0, left)) this.flushFor(audience);
    for (const audience of this.#skipped) {
      if ((left -= 1) < 0) break;
      this.#skipped.delete(audience);
      this.flushFor(audience);
      for (const receiver of audience.receivers) receiver.tick();
    }
  }

  /** Who waits for an answer has it first, in one write with the frames of its view. */
  #writeReplies(receiver: FrameReceiver): void {
    const { view } = receiver;
    const run = view?.run;
    if (!view || !run) return receiver.sendReplies(null);
    this.#flushBut(view, receiver);
    return receiver.sendReplies(bytesFor(receiver, run, view.runPrev));
  }
}

/** The run as this socket gets it; from then on it stands where its audience does. */
function bytesFor(receiver: FrameReceiver, run: Run, runPrev: number): Buffer {
  const prev = receiver.ownLast ?? runPrev;
  receiver.ownLast = null;
  return run.bytes(prev);
}
