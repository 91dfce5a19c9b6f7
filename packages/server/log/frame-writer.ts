import { Fifo } from '../core/fifo.ts';
import { thisThread } from '../core/held-thread.ts';
import { reach, unitPoints } from '../core/unit-points.ts';
import type { Outgoing, Run } from './frames.ts';

/** A socket that frames are written to. */
export interface FrameReceiver {
  readonly subscription: Audience | null;
  /** The number of this socket's last frame if its audience has received newer ones without it, otherwise null. */
  ownLast: number | null;
  /** True while its client reads, as far as its signs of life show. */
  readonly isAttentive: boolean;
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
  /** Its place in the queue of the FrameWriter; null if nothing waits. */
  waiting: WaitingAudience | null;
}

/** Maximum writes before the event loop handles requests and answers of the store. */
const WRITES_PER_SLICE = 48;
/** Frames go before replies once they have waited more than this many times as long. */
const PATIENCE = 8;
/** Every n-th write of a slice sends frames, even while replies keep coming (SOCKET-15). */
const FRAME_SHARE = 5;
/** Every n-th write of a slice sends frames to sockets that may not be read, even while others wait (SOCKET-16). */
const UNREAD_SHARE = 8;

/** A socket whose replies wait, and the number of the slice after which they began to wait. */
interface WaitingReceiver {
  readonly receiver: FrameReceiver;
  readonly since: number;
}

interface WaitingAudience {
  readonly audience: Audience;
  readonly since: number;
  /** Its sockets get a tick, after the frames. */
  mustTick: boolean;
  /** Waits among those that may not be read. */
  readonly isInattentive: boolean;
}

/**
 * Collects frames and replies, and writes them in slices. Senders are served first, because they wait, but members are
 * not left behind (SOCKET-15).
 */
export class FrameWriter {
  readonly #audiences = new Fifo<WaitingAudience>();
  /** Audiences without a socket whose client is known to read. */
  readonly #inattentive = new Fifo<WaitingAudience>();
  readonly #replying = new Fifo<WaitingReceiver>();
  #isScheduled = false;
  /** Number of slices so far. */
  #slice = 0;

  /** Adds a frame to the run of an audience: the frames that wait to be sent to it. */
  give(audience: Audience, outgoing: Outgoing): void {
    if (unitPoints.hasSubscribers) reach({ point: 'given', audience });
    if (audience.run === null) {
      audience.run = outgoing.alone;
      audience.runPrev = audience.last;
      this.#enqueue(audience);
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
    this.#enqueue(audience).mustTick = true;
  }

  /** Schedules the replies of a socket. */
  reply(receiver: FrameReceiver): void {
    this.#replying.push({ receiver, since: this.#slice });
    this.#schedule();
  }

  /** Moves an audience to those that are known to be read, if it waits among the others. */
  attended(audience: Audience): void {
    if (!audience.waiting?.isInattentive) return;
    // The old entry stays in the other queue, which drops it.
    audience.waiting = { ...audience.waiting, isInattentive: false };
    this.#audiences.push(audience.waiting);
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
    if (audience.waiting?.mustTick === false) audience.waiting = null;
    for (const receiver of receivers) if (receiver !== except) receiver.sendFrames(bytesFor(receiver, run, runPrev));
    if (unitPoints.hasSubscribers) reach({ point: 'sent', audience });
  }

  get #isWaiting(): boolean {
    return (
      this.#replying.first !== undefined || (longestIn(this.#audiences) ?? longestIn(this.#inattentive)) !== undefined
    );
  }

  #enqueue(audience: Audience): WaitingAudience {
    if (!audience.waiting) {
      const isInattentive = !isAttentive(audience);
      audience.waiting = { audience, since: this.#slice, mustTick: false, isInattentive };
      (isInattentive ? this.#inattentive : this.#audiences).push(audience.waiting);
      this.#schedule();
    }
    return audience.waiting;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      thisThread.run('write frames', () => this.#writeSlice());
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
    for (let write = 1; write <= WRITES_PER_SLICE; write += 1) {
      const { first: reply } = this.#replying;
      const frames = longestIn(this.#audiences);
      const unread = longestIn(this.#inattentive);
      if (unread && ((!reply && !frames) || write % UNREAD_SHARE === 0)) {
        this.#inattentive.drop();
        this.#serve(unread);
      } else if (
        frames &&
        (!reply || write % FRAME_SHARE === 0 || this.#ageOf(frames) > PATIENCE * this.#ageOf(reply))
      ) {
        this.#audiences.drop();
        this.#serve(frames);
      } else if (reply) {
        this.#replying.drop();
        this.#writeReplies(reply.receiver);
      } else return;
    }
  }

  /** The number of slices that something has waited. */
  #ageOf({ since }: { since: number }): number {
    return this.#slice - since;
  }

  #serve({ audience, mustTick }: WaitingAudience): void {
    audience.waiting = null;
    this.flushFor(audience);
    if (mustTick) for (const receiver of audience.receivers) receiver.tick();
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

/** The audience that has waited longest. One whose frames were sent together with replies waits no more. */
function longestIn(queue: Fifo<WaitingAudience>): WaitingAudience | undefined {
  for (;;) {
    const { first } = queue;
    if (!first || first.audience.waiting === first) return first;
    queue.drop();
  }
}

/** Whether a socket of an audience is read by its client, as far as is known. */
const isAttentive = ({ receivers }: Audience): boolean => {
  for (const receiver of receivers) if (receiver.isAttentive) return true;
  return false;
};

/** The bytes of a run for one socket, which is then at the same number as its audience. */
function bytesFor(receiver: FrameReceiver, run: Run, runPrev: number): Buffer {
  const prev = receiver.ownLast ?? runPrev;
  receiver.ownLast = null;
  return run.bytes(prev);
}
