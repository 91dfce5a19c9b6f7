// The bytes of WebSocket frames. A frame is encoded once for all sockets; only `prev` can differ, and usually does not.
import type { PublishedEvent } from './event-log.ts';
import { eventKinds } from '../core/event-kinds.ts';

const TEXT_FRAME = 0x81; // final fragment, opcode 1

/** Writes the header of an unmasked text frame of `size` bytes. Returns the position of the payload. */
function writeHeader(target: Buffer, at: number, size: number): number {
  target[at] = TEXT_FRAME;
  if (size < 126) {
    target[at + 1] = size;
    return at + 2;
  }
  if (size < 65_536) {
    target[at + 1] = 126;
    target.writeUInt16BE(size, at + 2);
    return at + 4;
  }
  target[at + 1] = 127;
  target.writeUInt32BE(0, at + 2);
  target.writeUInt32BE(size, at + 6);
  return at + 10;
}

const headerSize = (size: number): number => (size < 126 ? 2 : size < 65_536 ? 4 : 10);

/** A whole text frame. */
export function textFrame(text: string): Buffer {
  const size = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(headerSize(size) + size);
  frame.write(text, writeHeader(frame, 0, size));
  return frame;
}

/** An event as bytes, without the `prev` of its frame. */
export class Outgoing {
  readonly seq: number;
  readonly class: number;
  /** The timeline and the message of an open reply. */
  readonly timeline: string | null;
  readonly draft: number;
  readonly #event: PublishedEvent;
  readonly #render: (() => string) | undefined;
  #prefix: Buffer | null = null;
  #alone: Run | null = null;

  /** `render` makes the params if they differ per account; called once, when the frame is written. */
  constructor(event: PublishedEvent, render?: () => string) {
    this.seq = event.seq;
    this.class = eventKinds[event.kind].class;
    this.timeline = event.timeline;
    this.draft = event.draft;
    this.#event = event;
    this.#render = render;
  }

  /** The run with only this event, shared by all subscriptions that had no frames waiting. */
  get alone(): Run {
    this.#alone ??= new Run(null, this);
    return this.#alone;
  }

  get prefix(): Buffer {
    if (this.#prefix) return this.#prefix;
    const params = this.#render ? this.#render() : this.#event.params;
    this.#prefix = Buffer.from(
      `{"method":"${eventKinds[this.#event.kind].method}","params":${params},"seq":${this.seq},"prev":`,
    );
    return this.#prefix;
  }
}

/**
 * The frames of a subscription since the last flush. Runs form a tree: adding an event to a run leads to the same next
 * run for every subscription. So subscriptions that received the same events share one run and its bytes.
 */
export class Run {
  readonly #before: Run | null;
  readonly #outgoing: Outgoing;
  #next: Run | null = null;
  #others: Map<Outgoing, Run> | null = null;
  #bytes: Map<number, Buffer> | null = null;

  constructor(before: Run | null, outgoing: Outgoing) {
    this.#before = before;
    this.#outgoing = outgoing;
  }

  followedBy(outgoing: Outgoing): Run {
    if (this.#next && this.#next.#outgoing === outgoing) return this.#next;
    let run = this.#others?.get(outgoing);
    if (run) return run;
    run = new Run(this, outgoing);
    if (!this.#next) this.#next = run;
    else (this.#others ??= new Map()).set(outgoing, run);
    return run;
  }

  /** The bytes of all frames of the run; the first frame gets this `prev`. */
  bytes(prev: number): Buffer {
    const known = this.#bytes?.get(prev);
    if (known) return known;
    const chain: Outgoing[] = [];
    for (let run: Run | null = this; run; run = run.#before) chain.push(run.#outgoing);
    chain.reverse();
    const prevs = chain.map((_, at) => String(at === 0 ? prev : chain[at - 1]?.seq));
    const sizes = chain.map((outgoing, at) => outgoing.prefix.length + (prevs[at]?.length ?? 0) + 1);
    const total = sizes.reduce((sum, size) => sum + size + headerSize(size), 0);
    const bytes = Buffer.allocUnsafe(total);
    let to = 0;
    chain.forEach((outgoing, at) => {
      to = writeHeader(bytes, to, sizes[at] ?? 0);
      to += outgoing.prefix.copy(bytes, to);
      to += bytes.write(`${prevs[at]}}`, to, 'latin1');
    });
    (this.#bytes ??= new Map()).set(prev, bytes);
    return bytes;
  }
}
