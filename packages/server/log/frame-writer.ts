import type { Outgoing, Run } from './frames.ts';

/** A socket that frames are written to. */
export interface FrameReceiver {
  readonly subscription: Audience | null;
  /** The number of this socket's last frame if its audience has received newer ones without it, otherwise null. */
  ownLast: number | null;
  /** Sends frames. A receiver with a slow client may skip them: the client finds the gap by the next `prev`. */
  sendFrames(bytes: Buffer): void;
  /** Sends the newest number of its audience, so that a client that has missed frames asks for them. */
  tick(): void;
  /** Sends the waiting replies and these frames in one write. */
  sendReplies(frames: Buffer | null): void;
}

/** Sockets that receive the same frames, and the frames that wait for them. */
export interface Audience {
  /** The number of the last frame, sent or skipped. */
  last: number;
  /** Frames since the last write, and the number of the frame before them. */
  run: Run | null;
  runPrev: number;
  readonly receivers: readonly FrameReceiver[];
}

/** Maximum writes before the event loop handles requests and answers of the store. */
const WRITES_PER_SLICE = 48;
/** Frames are sent before replies when they have waited more than so many times as long, … */
const PATIENCE = 8;
/** … and with one of so many writes, also when replies keep coming (SOCKET-15). */
const SHARE = 5;

/** What waits to be written to, and the number of the slice after which it began to wait. */
interface Waiting<Target> {
  readonly target: Target;
  readonly since: number;
}

/**
 * Collects frames and replies, and writes them in slices. Senders are served first, because they wait, but members
 * are not left behind (SOCKET-15).
 */
export class FrameWriter {
  readonly #skipped = new Set<Audience>();
  #dirty: Waiting<Audience>[] = [];
  #replying: Waiting<FrameReceiver>[] = [];
  #isScheduled = false;
  /** Number of slices so far. */
  #slice = 0;

  /** Adds a frame to the run of an audience: the frames that wait to be sent to it. */
  give(audience: Audience, outgoing: Outgoing): void {
    if (audience.run === null) {
      audience.run = outgoing.alone;
      audience.runPrev = audience.last;
      this.#dirty.push({ target: audience, since: this.#slice });
      this.#schedule();
    } else audience.run = audience.run.followedBy(outgoing);
    audience.last = outgoing.seq;
  }

  /** Sends a frame to all sockets of an audience but one; the `prev` of that socket's next frame does not count it. */
  giveOthers(audience: Audience, outgoing: Outgoing, except: FrameReceiver): void {
    this.flushFor(audience);
    except.ownLast ??= audience.last;
    this.give(audience, outgoing);
    this.#flushBut(audience, except);
  }

  /** Notifies the sockets of an audience that they have missed events up to this number. */
  skip(audience: Audience, seq: number): void {
    this.flushFor(audience);
    audience.last = Math.max(audience.last, seq);
    for (const receiver of audience.receivers) receiver.ownLast = null;
    this.#skipped.add(audience);
    this.#schedule();
  }

  /** Schedules the replies of a socket. */
  reply(receiver: FrameReceiver): void {
    this.#replying.push({ target: receiver, since: this.#slice });
    this.#schedule();
  }

  /** Writes all waiting replies and frames. */
  flush(): void {
    while (this.#isWaiting) this.#writeSlice();
  }

  /** Writes the frames that wait to be sent to an audience. */
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
   * Writes to some of the waiting sockets, once to each, however many events there are (SOCKET-6). Between two slices
   * the event loop reads requests, and units are passed to the store. Events published meanwhile join the frames that
   * still wait.
   */
  #writeSlice(): void {
    this.#slice += 1;
    let left = WRITES_PER_SLICE;
    for (; left > 0; left -= 1) {
      const [reply] = this.#replying;
      const run = this.#nextRun();
      if (run && (!reply || left % SHARE === 0 || this.#slice - run.since > PATIENCE * (this.#slice - reply.since))) {
        this.#dirty.shift();
        this.flushFor(run.target);
      } else if (reply) {
        this.#replying.shift();
        this.#writeReplies(reply.target);
      } else break;
    }
    for (const audience of this.#skipped) {
      if ((left -= 1) < 0) break;
      this.#skipped.delete(audience);
      this.flushFor(audience);
      for (const receiver of audience.receivers) receiver.tick();
    }
  }

  /** The audience whose frames have waited longest. Frames that were sent together with replies wait no more. */
  #nextRun(): Waiting<Audience> | undefined {
    while (this.#dirty[0]?.target.run === null) this.#dirty.shift();
    return this.#dirty[0];
  }

  /** Writes a socket's replies, and the frames that wait to be sent to it, in one write. */
  #writeReplies(receiver: FrameReceiver): void {
    const { subscription } = receiver;
    const run = subscription?.run;
    if (!subscription || !run) return receiver.sendReplies(null);
    this.#flushBut(subscription, receiver);
    return receiver.sendReplies(bytesFor(receiver, run, subscription.runPrev));
  }
}

/** The bytes of a run for one socket, which is then at the same number as its audience. */
function bytesFor(receiver: FrameReceiver, run: Run, runPrev: number): Buffer {
  const prev = receiver.ownLast ?? runPrev;
  receiver.ownLast = null;
  return run.bytes(prev);
}
