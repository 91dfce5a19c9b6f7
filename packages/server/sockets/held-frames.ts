/** Frames that wait in the process until a silent reader answers: many sockets share the bytes of one frame. */
export class HeldFrames {
  readonly #frames: Buffer[] = [];
  #bytes = 0;

  /** The frames, in the order in which they are sent. */
  get frames(): readonly Buffer[] {
    return this.#frames;
  }

  /** Bytes of the frames; heartbeats among them do not count. */
  get bytes(): number {
    return this.#bytes;
  }

  add(frame: Buffer): void {
    this.#frames.push(frame);
    this.#bytes += frame.length;
  }

  addTick(frame: Buffer): void {
    this.#frames.push(frame);
  }
}
