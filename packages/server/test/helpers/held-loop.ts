/** Maximum time for which a request may block the event loop (ERR-12). */
const MOST_MS = 50;
/** Attempts per case: garbage collection and compilation add to the time, but not three times in a row. */
const TRIES = 3;

/** CPU time of this thread so far. Time that the machine spends on other processes does not count. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The longest tick of the event loop during `act`, and the result of `act`. */
async function heldWhile<Value>(act: () => Promise<Value>): Promise<{ ms: number; value: Value }> {
  let ms = 0;
  let isOver = false;
  let [turnedAt, worked] = [performance.now(), workedMs()];
  const turn = (): void => {
    const [now, workedUntilNow] = [performance.now(), workedMs()];
    // The smaller of wall time and CPU time: systems count CPU time in steps of some milliseconds.
    ms = Math.max(ms, Math.min(now - turnedAt, workedUntilNow - worked));
    [turnedAt, worked] = [now, workedUntilNow];
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const value = await act();
    turn();
    return { ms, value };
  } finally {
    isOver = true;
  }
}

/** Watches the event loop of this process, in which the service and its callers run. */
export class LoopWatch {
  /** The case that blocked the loop longest, of those that passed. */
  slowest = { what: 'nothing', ms: 0 };

  /**
   * Returns the first result of `act`. If `act` blocks the loop too long, it is repeated; fails if every attempt does.
   */
  async over<Value>(what: string, act: () => Promise<Value>): Promise<Value> {
    const { ms: firstMs, value } = await heldWhile(act);
    let ms = firstMs;
    for (let tries = 1; ms > MOST_MS && tries < TRIES; tries += 1) ({ ms } = await heldWhile(act));
    if (ms > MOST_MS)
      throw new Error(`${what} blocked the event loop for ${Math.round(ms)} ms, each of ${TRIES} times`);
    if (ms > this.slowest.ms) this.slowest = { what, ms };
    return value;
  }
}
