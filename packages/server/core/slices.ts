/** What takes longer than this lets the rest of the loop go on in between (ERR-12). */
export const SLICE_MS = 5;
/** So much of a turn may go to those who ask for little, before they wait too. */
const NEWCOMERS_MS = 20;
/** Who asks for less than this part of the loop's time asks for little. */
const FAIR_SHARE = 0.05;

/** The process has one loop, hence one line before it. */
const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the loop. Whoever asks stands in one line, of which each turn lets go on as many as one
 * slice has time for: however many there are, everything else has its share of the turn.
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
    // A tick that a microtask asks for comes behind all microtasks: behind what this one does at once.
    if (waiting.length > 0) queueMicrotask(() => process.nextTick(next));
  };
  next();
}

/** A piece of work on the main thread, which looks at the time in between. */
export class Slice {
  readonly #now: () => number;
  #since: number;

  constructor(now = () => performance.now()) {
    this.#now = now;
    this.#since = now();
  }

  get spentMs(): number {
    return this.#now() - this.#since;
  }

  get isSpent(): boolean {
    return this.spentMs > SLICE_MS;
  }

  /** Goes on at once, or in a later turn if this slice is spent: then it answers true, and anything may have happened. */
  async pause(): Promise<boolean> {
    if (!this.isSpent) return false;
    await nextSlice();
    this.#since = this.#now();
    return true;
  }
}

let ofThisTurn: Slice | null = null;

/** The slice that all share who begin something in this turn of the loop. */
function sliceOfTurn(now: () => number): Slice {
  if (!ofThisTurn) {
    ofThisTurn = new Slice(now);
    setImmediate(() => (ofThisTurn = null));
  }
  return ofThisTurn;
}

/** What one client has had of the loop's time: who had more than a fair share waits for those who had less. */
export class Share {
  readonly #now: () => number;
  /** Milliseconds beyond the fair share, at a time. */
  #excess = 0;
  #at = 0;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** True when the next piece of work has to wait for `nextSlice`. */
  get mustWait(): boolean {
    const isGreedy = this.#excessAt(this.#now()) > SLICE_MS;
    return sliceOfTurn(this.#now).spentMs > (isGreedy ? SLICE_MS : NEWCOMERS_MS);
  }

  charge(ms: number): void {
    const now = this.#now();
    this.#excess = this.#excessAt(now) + ms;
    this.#at = now;
  }

  #excessAt(now: number): number {
    return Math.max(0, this.#excess - (now - this.#at) * FAIR_SHARE);
  }
}
