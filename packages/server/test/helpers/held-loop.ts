/** No request may hold the event loop for longer (ERR-12). */
const MOST_MS = 50;
/** Collecting garbage and compiling add to the time, but not three times to the same case. */
const TRIES = 3;

/** What this thread itself has worked so far: what the machine does meanwhile is no request's fault. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The longest turn of the event loop while something is done, and what that answers. */
async function heldWhile<Value>(act: () => Promise<Value>): Promise<{ ms: number; value: Value }> {
  let ms = 0;
  let isOver = false;
  let [turnedAt, worked] = [performance.now(), workedMs()];
  const turn = (): void => {
    const [now, workedUntilNow] = [performance.now(), workedMs()];
    // Neither alone: systems count work in steps of some milliseconds.
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
  /** What held the loop longest of all that passed. */
  slowest = { what: 'nothing', ms: 0 };

  /** The first answer of `act`, which must not hold the loop: one that does is taken again, and fails if it does each time. */
  async over<Value>(what: string, act: () => Promise<Value>): Promise<Value> {
    const { ms: firstMs, value } = await heldWhile(act);
    let ms = firstMs;
    for (let tries = 1; ms > MOST_MS && tries < TRIES; tries += 1) ({ ms } = await heldWhile(act));
    if (ms > MOST_MS) throw new Error(`${what} holds the event loop for ${Math.round(ms)} ms, each of ${TRIES} times`);
    if (ms > this.slowest.ms) this.slowest = { what, ms };
    return value;
  }
}
