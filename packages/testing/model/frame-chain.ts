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
  /** Set when the reader becomes slow: from then on frames may be skipped, but numbers must not go back (SOCKET-9). */
  mayHaveGaps = false;

  constructor(head: number) {
    this.lastSeq = head;
  }

  take({ method, params, seq, prev }: ReceivedFrame): void {
    const name = method.replace(/^events\./, '');
    const place = `${method} with seq ${seq}, prev ${prev} after ${this.lastSeq}`;
    if (!isEvent(name)) this.problems.push(`${method} is not an event of the interface`);
    else {
      const parsed = events[name].safeParse(params);
      if (!parsed.success) this.problems.push(`${place} does not match its declaration: ${parsed.error.message}`);
    }
    // A frame whose seq equals its prev is outside the log and does not move the chain (LOG-11).
    if (seq === prev) {
      const isSkipped = this.mayHaveGaps && seq > this.lastSeq;
      if (seq !== this.lastSeq && !isSkipped) this.problems.push(`${place}: not the socket's current number`);
      return;
    }
    if (!Number.isSafeInteger(seq) || seq <= this.lastSeq || prev < this.lastSeq || prev > seq)
      this.problems.push(`${place}: out of order`);
    else if (prev > this.lastSeq && !this.mayHaveGaps) this.problems.push(`${place}: a gap`);
    this.lastSeq = Math.max(this.lastSeq, seq);
  }

  tick(head: number): void {
    if (head < this.lastSeq || (head > this.lastSeq && !this.mayHaveGaps))
      this.problems.push(`tick says head ${head} after ${this.lastSeq}`);
  }
}

const isEvent = (name: string): name is EventName => Object.hasOwn(events, name);
