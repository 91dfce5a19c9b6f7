// The load: one process of raw clients that count received frames. It finds frames by their headers and neither decodes
// nor parses payloads, so that one core reads several million frames a second.

/** Called for each frame once its first bytes have arrived: `buffer[at]` is the payload's first byte. */
interface FrameSink {
  frame(opcode: number, payloadBytes: number, buffer: Buffer, at: number): void;
}

const longestHeaderBytes = 10;

/** Walks a server's (unmasked) WebSocket frames across chunk boundaries. */
export class FrameWalker {
  readonly #peekBytes: number;
  readonly #sink: FrameSink;
  readonly #held: Buffer;
  #heldBytes = 0;
  #skipBytes = 0;

  /** Reports a frame when `peekBytes` of its payload (or all of it) are contiguous. */
  constructor(peekBytes: number, sink: FrameSink) {
    this.#peekBytes = peekBytes;
    this.#sink = sink;
    this.#held = Buffer.allocUnsafeSlow(longestHeaderBytes + peekBytes);
  }

  walk(chunk: Buffer, from: number, to: number): void {
    let at = this.#heldBytes > 0 ? this.#completeHeld(chunk, from, to) : from;
    while (at < to) {
      if (this.#skipBytes > 0) {
        const step = Math.min(this.#skipBytes, to - at);
        this.#skipBytes -= step;
        at += step;
        continue;
      }
      const frameBytes = this.#report(chunk, at, to);
      if (frameBytes === 0) {
        chunk.copy(this.#held, 0, at, to);
        this.#heldBytes = to - at;
        return;
      }
      at += frameBytes;
      if (at > to) this.#skipBytes = at - to;
    }
  }

  /** Continues a frame that began in an earlier chunk; returns the position after it in this chunk. */
  #completeHeld(chunk: Buffer, from: number, to: number): number {
    const before = this.#heldBytes;
    const taken = Math.min(this.#held.length - before, to - from);
    chunk.copy(this.#held, before, from, from + taken);
    const frameBytes = this.#report(this.#held, 0, before + taken);
    if (frameBytes === 0) {
      this.#heldBytes = before + taken;
      return to;
    }
    this.#heldBytes = 0;
    const end = from + frameBytes - before;
    if (end > to) this.#skipBytes = end - to;
    return Math.min(end, to);
  }

  /** Reports the frame at `at`; returns its length, or 0 if too little of it has arrived. */
  #report(buffer: Buffer, at: number, to: number): number {
    const left = to - at;
    if (left < 2) return 0;
    let payloadBytes = (buffer[at + 1] ?? 0) & 127;
    let headerBytes = 2;
    if (payloadBytes === 126) {
      if (left < 4) return 0;
      payloadBytes = ((buffer[at + 2] ?? 0) << 8) | (buffer[at + 3] ?? 0);
      headerBytes = 4;
    } else if (payloadBytes === 127) {
      if (left < longestHeaderBytes) return 0;
      payloadBytes = buffer.readUInt32BE(at + 2) * 2 ** 32 + buffer.readUInt32BE(at + 6);
      headerBytes = longestHeaderBytes;
    }
    const seen = payloadBytes < this.#peekBytes ? payloadBytes : this.#peekBytes;
    if (left < headerBytes + seen) return 0;
    this.#sink.frame((buffer[at] ?? 0) & 15, payloadBytes, buffer, at + headerBytes);
    return headerBytes + payloadBytes;
  }
}
