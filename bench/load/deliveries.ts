import type { RawSocket } from './raw-socket.ts';

const numberDigits = 8;
/** The text of a timed message: a mark, its number, padding. Frames are searched for the bytes of the mark. */
const mark = Buffer.from('"content":"#');

/** Times messages from their sending to their arrival at each socket. The sockets must see whole frames (`peekBytes`). */
export class Deliveries {
  /** Number of messages so far. */
  count = 0;
  readonly #sentAtMs: number[] = [];
  readonly #senders: number[] = [];
  readonly #filling: string;
  readonly #sockets: readonly RawSocket[];

  /** `arrived` is called with the number of a message, the number of its sender, and of the socket that received it. */
  constructor(
    sockets: readonly RawSocket[],
    contentBytes: number,
    arrived: (delivery: { message: number; sender: number; receiver: number; sentAtMs: number; ms: number }) => void,
  ) {
    this.#sockets = sockets;
    this.#filling = 'x'.repeat(Math.max(0, contentBytes - numberDigits - 2));
    for (const [receiver, socket] of sockets.entries()) {
      socket.onMessage = (buffer, at, payloadBytes) => {
        const found = buffer.indexOf(mark, at);
        if (found < 0 || found > at + payloadBytes) return;
        const from = found + mark.length;
        const message = Number(buffer.toString('latin1', from, from + numberDigits));
        const sentAtMs = this.#sentAtMs[message] ?? 0;
        const sender = this.#senders[message] ?? -1;
        arrived({ message, sender, receiver, sentAtMs, ms: performance.now() - sentAtMs });
      };
    }
  }

  /** The text of the next message, which is sent now; its delivery is timed from `sentAtMs`. */
  next(sender: number, sentAtMs = performance.now()): string {
    const text = `#${String(this.count).padStart(numberDigits, '0')} ${this.#filling}`;
    this.#senders[this.count] = sender;
    this.#sentAtMs[this.count] = sentAtMs;
    this.count += 1;
    return text;
  }

  stop(): void {
    for (const socket of this.#sockets) socket.onMessage = undefined;
  }
}
