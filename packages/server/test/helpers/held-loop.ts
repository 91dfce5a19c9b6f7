import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { clearInterval, setInterval } from 'node:timers';

/** Maximum time for which a request may block the event loop (ERR-12). */
const MAX_MS = 50;
/** Attempts per case: compilation adds to the time, but not three times in a row. */
const TRIES = 3;

/** CPU time of this thread so far. Time that the machine spends on other processes does not count. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Pause between two looks at the clock; a result may be too long by this much. */
const LOOK_MS = 5;

/** A time between two looks, in which the event loop may have been blocked. */
interface Span {
  from: number;
  until: number;
  ms: number;
}

/** The longest time for which `act` blocked the event loop, and the result of `act`. */
async function heldWhile<Value>(act: () => Promise<Value>): Promise<{ ms: number; value: Value }> {
  const spans: Span[] = [];
  const pauses: PerformanceEntry[] = [];
  const collecting = new PerformanceObserver((list) => pauses.push(...list.getEntries()));
  collecting.observe({ entryTypes: ['gc'] });
  let [lookedAt, worked] = [performance.now(), workedMs()];
  const look = (): void => {
    const [now, workedUntilNow] = [performance.now(), workedMs()];
    // The smaller of wall time and CPU time: systems count CPU time in steps of some milliseconds.
    spans.push({ from: lookedAt, until: now, ms: Math.min(now - lookedAt, workedUntilNow - worked) });
    [lookedAt, worked] = [now, workedUntilNow];
  };
  const looking = setInterval(look, LOOK_MS);
  try {
    const value = await act();
    look();
    pauses.push(...collecting.takeRecords());
    return { ms: Math.max(...spans.map((span) => span.ms - pausedMs(span, pauses))), value };
  } finally {
    clearInterval(looking);
    collecting.disconnect();
  }
}

/** How much of `span` garbage collection took: that depends on what all tests of this process have left in its heap. */
const pausedMs = ({ from, until }: Span, pauses: readonly PerformanceEntry[]): number =>
  pauses
    .filter(({ startTime }) => startTime >= from && startTime < until)
    .reduce((sum, { duration }) => sum + duration, 0);

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
    for (let tries = 1; ms > MAX_MS && tries < TRIES; tries += 1) ({ ms } = await heldWhile(act));
    if (ms > MAX_MS) throw new Error(`${what} blocked the event loop for ${Math.round(ms)} ms, each of ${TRIES} times`);
    if (ms > this.slowest.ms) this.slowest = { what, ms };
    return value;
  }
}
