/** What takes longer than this lets the rest of the loop go on in between (ERR-12). */
export const SLICE_MS = 5;

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
    // Behind all that this one does at once.
    if (waiting.length > 0) process.nextTick(next);
  };
  next();
}

/** A piece of work on the main thread, which looks at the time in between. */
export class Slice {
  #since = performance.now();

  get isSpent(): boolean {
    return performance.now() - this.#since > SLICE_MS;
  }

  /** Goes on at once, or in a later turn if this slice is spent. */
  async pause(): Promise<void> {
    if (!this.isSpent) return;
    await nextSlice();
    this.#since = performance.now();
  }
}

let ofThisTurn: Slice | null = null;

/** The slice that all share who begin something in this turn of the loop. */
export function sliceOfTurn(): Slice {
  if (!ofThisTurn) {
    ofThisTurn = new Slice();
    setImmediate(() => (ofThisTurn = null));
  }
  return ofThisTurn;
}
