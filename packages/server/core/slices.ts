/** Maximum time that a piece of work runs before it lets the rest of the event loop run (ERR-12). */
export const SLICE_MS = 5;
/** Time budget per event-loop tick for clients within their fair share; after it they queue like the others. */
const NEWCOMERS_MS = 20;
/** The fair share: the part of the event loop's time that a client may use without waiting. */
const FAIR_SHARE = 0.05;

/** One queue, because the process has one event loop. */
const waiting: (() => void)[] = [];

/**
 * Resolves in a later tick of the event loop. All callers wait in one queue, and a tick releases callers only until one
 * slice is spent, so that other work gets its share of the tick however long the queue is.
 */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(release);
  });
}

function release(): void {
  const slice = new Slice();
  const next = (): void => {
    if (slice.isSpent) return void setImmediate(release);
    waiting.shift()?.();
    // nextTick runs after all pending microtasks, and so after the synchronous work of the released caller.
    if (waiting.length > 0) queueMicrotask(() => process.nextTick(next));
  };
  next();
}

/** Measures a piece of work on the main thread, so that it pauses when its slice is spent. */
export class Slice {
  readonly #monotonic: () => number;
  #since: number;

  constructor(monotonic = () => performance.now()) {
    this.#monotonic = monotonic;
    this.#since = monotonic();
  }

  get spentMs(): number {
    return this.#monotonic() - this.#since;
  }

  get isSpent(): boolean {
    return this.spentMs > SLICE_MS;
  }

  /** Waits for a later tick if the slice is spent. Returns whether it waited: other code may have run meanwhile. */
  async pause(): Promise<boolean> {
    if (!this.isSpent) return false;
    await nextSlice();
    this.#since = this.#monotonic();
    return true;
  }
}

let ofThisTick: Slice | null = null;

/** The slice shared by everything that starts in this tick of the event loop. */
function sliceOfTick(now: () => number): Slice {
  if (!ofThisTick) {
    ofThisTick = new Slice(now);
    setImmediate(() => (ofThisTick = null));
  }
  return ofThisTick;
}

/** The slice of the current tick. Work that continues after I/O runs in a new tick, and so gets a new slice. */
export const tickSlice = (): Slice => sliceOfTick(() => performance.now());

/** The event-loop time that one client, or owner, uses: a client above its fair share waits for clients below theirs. */
export class Share {
  readonly #monotonic: () => number;
  /** Milliseconds above the fair share, as of `#at`. */
  #excess = 0;
  #at = 0;

  constructor(monotonic = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** Whether the next piece of work must wait for `nextSlice`. */
  get mustWait(): boolean {
    const isGreedy = this.#excessAt(this.#monotonic()) > SLICE_MS;
    return sliceOfTick(this.#monotonic).spentMs > (isGreedy ? SLICE_MS : NEWCOMERS_MS);
  }

  charge(ms: number): void {
    const now = this.#monotonic();
    this.#excess = this.#excessAt(now) + ms;
    this.#at = now;
  }

  #excessAt(now: number): number {
    return Math.max(0, this.#excess - (now - this.#at) * FAIR_SHARE);
  }
}

/** How long the share of an idle client is kept: by then it has used none of the loop for a while. */
const KEPT_MS = 60_000;
/** Maximum shares per generation. */
const MAX_SHARES = 10_000;

/** The shares of all owners: however many connections an owner opens, together they have one share (SOCKET-13). */
export class Shares {
  readonly #monotonic: () => number;
  // Two generations: what no call has used for a while is dropped.
  #young = new Map<string, Share>();
  #old = new Map<string, Share>();
  #turnAt: number;

  constructor(monotonic = () => performance.now()) {
    this.#monotonic = monotonic;
    this.#turnAt = monotonic() + KEPT_MS;
  }

  /** Number of shares kept. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  of(owner: string): Share {
    const now = this.#monotonic();
    if (now >= this.#turnAt || this.#young.size >= MAX_SHARES) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#turnAt = now + KEPT_MS;
    }
    const used = this.#young.get(owner);
    if (used) return used;
    const share = this.#old.get(owner) ?? new Share(this.#monotonic);
    this.#young.set(owner, share);
    return share;
  }
}
