/** A callback that uses a thread for longer is reported (OPS-7). */
export const HELD_MS = 50;
/** The name of what no `run` or `enter` names. */
export const UNNAMED = 'unnamed';
/** How old the reading of the processor time may be that a callback begins with: a reading costs ten times `now`. */
const READING_MS = 1;
/** How often the thread is checked for callbacks without a name: each time wakes an idle thread. */
export const WATCH_MS = 20;
/** Number of firings of the timer of which `lateP99Ms` tells. */
const FIRINGS_KEPT = 500;

/** A callback that held the thread. */
export interface Held {
  name: string;
  /** Processor time of this thread in ms, at least: what the system gave to other processes is not counted. */
  held_ms: number;
  /** Of an unnamed callback: the last name before its end. */
  after?: string;
}

/** A function makes a name that costs something; it is called only for a report. */
type CallbackName = string | (() => string);

interface Reading {
  /** As `now`. */
  readonly at: number;
  /** Processor time of the thread in ms. */
  readonly cpuMs: number;
}

/** A callback that runs. */
export interface Entry {
  readonly name: CallbackName;
  readonly at: number;
  readonly before: Reading;
  /** The sum of what was reported before it began. */
  readonly reportedMs: number;
}

const threadCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/**
 * Reports the callbacks that used the thread for longer than HELD_MS. Each is timed by `now`; only what took too long is
 * compared with the processor time of the thread, so that a busy machine causes no report.
 */
export class HeldThread {
  readonly #monotonic: () => number;
  readonly #cpuMs: () => number;
  readonly #listeners = new Set<(held: Held) => void>();
  #reading: Reading;
  #reportedMs = 0;
  /** Time of named callbacks. */
  #namedMs = 0;
  #depth = 0;
  #last: CallbackName = '';
  /** What the loop is running, from the first named callback on. */
  #turn: { at: number; before: Reading; namedMs: number } | null = null;
  #watch: NodeJS.Timeout | null = null;
  /** By how many ms the timer of the watch was late, oldest first. */
  readonly #late: number[] = [];

  constructor(monotonic = () => performance.now(), cpuMs = threadCpuMs) {
    this.#monotonic = monotonic;
    this.#cpuMs = cpuMs;
    this.#reading = { at: monotonic(), cpuMs: cpuMs() };
  }

  /**
   * Calls `listener` with each report until the returned function is called. `isNamed`: every callback of this
   * thread runs under a name, so no timer looks for unnamed ones. It would wake an idle thread fifty times a second.
   */
  listen(listener: (held: Held) => void, { isNamed = false }: { isNamed?: boolean } = {}): () => void {
    // A function of its own: the same listener may listen twice.
    const own = (held: Held): void => listener(held);
    this.#listeners.add(own);
    if (!isNamed) this.#watch ??= this.#startWatch();
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size > 0 || !this.#watch) return;
      clearInterval(this.#watch);
      this.#watch = null;
      this.#last = '';
    };
  }

  /** How late a repeating timer fires, p99 of the last 500 firings: how long the thread blocks all that wait for it. */
  get lateP99Ms(): number {
    const sorted = this.#late.toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  }

  /**
   * Runs a callback, up to its first `await`; what follows in the same turn of the loop is timed together, and has the
   * last name. Of nested callbacks the innermost that held the thread is reported.
   */
  run<Result>(name: CallbackName, callback: () => Result): Result {
    const entry = this.enter(name);
    try {
      return callback();
    } finally {
      this.leave(entry);
    }
  }

  /** Begins a callback that may await what is done at once. `leave` must follow. */
  enter(name: CallbackName): Entry {
    const at = this.#monotonic();
    if (at - this.#reading.at > READING_MS) this.#read(at);
    if (this.#depth === 0 && !this.#turn && this.#watch) {
      this.#turn = { at, before: this.#reading, namedMs: this.#namedMs };
      queueMicrotask(this.#awaitEnd);
    }
    this.#depth += 1;
    return { name, at, before: this.#reading, reportedMs: this.#reportedMs };
  }

  leave({ name, at, before, reportedMs }: Entry): void {
    const ms = this.#monotonic() - at;
    this.#depth -= 1;
    if (this.#depth === 0) this.#namedMs += ms;
    if (this.#watch) this.#last = name;
    const ownMs = ms - (this.#reportedMs - reportedMs);
    // The thread used at most `at - before.at` between the reading and the begin.
    if (ownMs > HELD_MS) this.#check(name, before, at - before.at + this.#reportedMs - reportedMs);
  }

  // nextTick runs after all pending microtasks, and so after what follows an `await` of something that is done.
  readonly #awaitEnd = (): void => process.nextTick(this.#endTurn);

  readonly #endTurn = (): void => {
    const turn = this.#turn;
    this.#turn = null;
    if (!turn) return;
    const namedMs = this.#namedMs - turn.namedMs;
    const restMs = this.#monotonic() - turn.at - namedMs;
    this.#namedMs += restMs;
    if (restMs > HELD_MS) this.#check(this.#last, turn.before, turn.at - turn.before.at + namedMs);
  };

  #read(at: number): Reading {
    return (this.#reading = { at, cpuMs: this.#cpuMs() });
  }

  /** Reports the processor time since `before` without `othersMs`, if it is too long. */
  #check(name: CallbackName, before: Reading, othersMs: number, after?: CallbackName): void {
    const heldMs = this.#cpuMs() - before.cpuMs - othersMs;
    if (heldMs <= HELD_MS) return;
    this.#reportedMs += heldMs;
    const held: Held = { name: textOf(name), held_ms: Math.round(heldMs), ...(after && { after: textOf(after) }) };
    for (const listener of this.#listeners) listener(held);
  }

  /** A timer that is late: one turn of the loop took that long. What of it has no name is one callback or several. */
  #startWatch(): NodeJS.Timeout {
    let before = this.#read(this.#monotonic());
    let namedMs = this.#namedMs;
    const watch = setInterval(() => {
      const now = this.#monotonic();
      this.#late.push(Math.max(0, now - before.at - WATCH_MS));
      if (this.#late.length > FIRINGS_KEPT) this.#late.shift();
      const ownMs = now - before.at - (this.#namedMs - namedMs);
      // Earlier turns of the loop used at most WATCH_MS of it.
      if (ownMs > HELD_MS + WATCH_MS) this.#check(UNNAMED, before, this.#namedMs - namedMs + WATCH_MS, this.#last);
      before = this.#read(now);
      namedMs = this.#namedMs;
      // A name may be that of a callback of a closed service, which must not stay in memory.
      this.#last = '';
    }, WATCH_MS);
    return watch.unref();
  }
}

const textOf = (name: CallbackName): string => (typeof name === 'string' ? name : name());

/** This thread: one for all services of a process. */
export const thisThread = new HeldThread();
