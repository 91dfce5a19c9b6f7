import { type EventName, events } from '@parley/protocol';

/** A frame of the log. */
export interface ReceivedFrame {
  method: string;
  params: Record<string, unknown>;
  seq: number;
  prev: number;
}

/** Checks the frames of one socket against the rules of the log: order, `prev`, and each event's declaration. */
export class FrameChain {
  readonly problems: string[] = [];
  /** `seq` of the newest frame, or hello's `head` before the first frame. */
  lastSeq: number;
  /**
   * The number of the newest frame of the log. A snapshot may be sent to this socket alone, under a number that the next
   * frame does not name (CAPS-9): until that frame both are possible.
   */
  #heads: ReadonlySet<number>;
  /** Set when the reader becomes slow: from then on frames may be skipped, but numbers must not go back (SOCKET-9). */
  mayHaveGaps = false;

  constructor(head: number) {
    this.lastSeq = head;
    this.#heads = new Set([head]);
  }

  take({ method, params, seq, prev }: ReceivedFrame): void {
    const name = method.replace(/^events\./, '');
    const place = `${method} with seq ${seq}, prev ${prev} after ${this.lastSeq}`;
    if (!isEvent(name)) this.problems.push(`${method} is not an event of the interface`);
    else {
      const parsed = events[name].safeParse(params);
      if (!parsed.success) this.problems.push(`${place} does not match its declaration: ${parsed.error.message}`);
    }
    const oldest = Math.min(...this.#heads);
    // A frame whose seq equals its prev is outside the log and does not move the chain (LOG-11).
    if (seq === prev) {
      const isSkipped = this.mayHaveGaps && seq > oldest;
      if (!this.#heads.has(seq) && !isSkipped) this.problems.push(`${place}: not the socket's current number`);
      return;
    }
    const isSnapshot = name === 'messageNew' && params['status'] === 'streaming';
    const isSkipped = this.mayHaveGaps && prev > this.lastSeq;
    const ofLog = this.#heads.has(prev) || isSkipped ? [seq] : [];
    const alone = isSnapshot && isSkipped ? [prev] : isSnapshot && prev === this.lastSeq ? this.#heads : [];
    const heads = new Set([...ofLog, ...alone]);
    if (!Number.isSafeInteger(seq) || seq <= this.lastSeq || prev < oldest || prev > seq)
      this.problems.push(`${place}: out of order`);
    else if (heads.size === 0) this.problems.push(`${place}: a gap`);
    this.#heads = heads.size > 0 ? heads : new Set([seq]);
    this.lastSeq = Math.max(this.lastSeq, seq);
  }

  /** A replay brought the client up to this head, from which the next frame continues. */
  replayed(head: number): void {
    this.lastSeq = head;
    this.#heads = new Set([head]);
  }

  tick(head: number): void {
    const isSkipped = this.mayHaveGaps && head > Math.min(...this.#heads);
    if (!this.#heads.has(head) && !isSkipped) this.problems.push(`tick says head ${head} after ${this.lastSeq}`);
    else this.#heads = new Set([head]);
  }
}

const isEvent = (name: string): name is EventName => Object.hasOwn(events, name);
