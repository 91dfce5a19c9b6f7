import { limits } from '@parley/protocol';
import { type ByteBudget, Held, tooMuchUnread } from '../core/byte-budget.ts';
import { RawJson } from '../core/json.ts';

export interface Bounds {
  frames: number;
  bytes: number;
  /**
   * True for a caller that pages: more pages may follow, and the first frame of each page is accepted whatever its
   * size.
   */
  isPage: boolean;
}

export const atOnce: Bounds = { frames: limits.updatesAtOnce, bytes: limits.updatesAtOnceBytes, isPage: false };

/** The frames of one answer in order, each with the number of the one before it, within limits of count and size. */
export class Page {
  readonly frames: RawJson[] = [];
  /** The number of the newest frame. */
  last = 0;
  readonly #since: number;
  readonly #bounds: Bounds;
  readonly #held: Held;
  #size = 0;
  #isGivenUp = false;

  constructor(since: number, bounds: Bounds, answers: ByteBudget, owner: string) {
    this.#since = since;
    this.#bounds = bounds;
    this.#held = new Held(answers, owner, () => (this.#isGivenUp = true));
  }

  /** Adds a frame. Returns false if the page has no room for it. */
  add(method: string, params: string, seq: number): boolean {
    this.#size += Buffer.byteLength(params);
    const { frames, bytes } = this.#bounds;
    if (this.frames.length === frames || (this.#size > bytes && this.frames.length > 0)) return false;
    if (this.#isGivenUp || !this.#held.set(this.#size)) throw tooMuchUnread();
    const prev = this.frames.length === 0 ? this.#since : this.last;
    this.frames.push(new RawJson(`{"method":"${method}","params":${params},"seq":${seq},"prev":${prev}}`));
    this.last = seq;
    return true;
  }

  release(): void {
    this.#held.set(0);
  }
}
