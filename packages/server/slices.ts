/** What takes longer than this lets the rest of the loop go on in between (ERR-12). */
export const SLICE_MS = 5;

/** The process has one loop, hence one line before it. */
const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the loop. Whoever asks stands in one line, and each turn lets one of it go on: however
 * many there are, together they take one slice of a turn.
 */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(release);
  });
}

function release(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(release);
}

let turn = 0;
let isCounting = false;

/** Tells the turns of the loop apart. */
export function currentTurn(): number {
  if (!isCounting) {
    isCounting = true;
    setImmediate(() => {
      isCounting = false;
      turn += 1;
    });
  }
  return turn;
}

/** A long piece of work on the main thread, which looks at the time in between. */
export class Slice {
  #since = performance.now();

  get isSpent(): boolean {
    return performance.now() - this.#since > SLICE_MS;
  }

  /** Goes on at once, or in a later turn if this one's slice is spent. */
  async pause(): Promise<void> {
    if (!this.isSpent) return;
    await nextSlice();
    this.#since = performance.now();
  }
}
