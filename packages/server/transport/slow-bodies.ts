import type { Clock, Timer } from '../core/clock.ts';

/** Maximum time for a body before its sender has authenticated (LIMIT-20). */
const OPEN_PATIENCE_MS = 10_000;
/** Maximum time for a body that is not a file, or for a frame, once its sender has authenticated (FILE-3). */
const PATIENCE_MS = 120_000;
const LOOK_MS = 1_000;

/** Something being received: a request, or the stream under a socket. */
interface Source {
  readonly destroyed: boolean;
  readonly complete?: boolean;
}

interface Watched {
  begunAt: number;
  patienceMs: number;
  giveUp: () => void;
}

/** Times out bodies and frames that arrive too slowly. Node's own timeout is longer, because a large file needs it. */
export class SlowBodies {
  readonly #clock: Clock;
  readonly #watched = new Map<Source, Watched>();
  #timer: Timer | null = null;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(source: Source, giveUp: () => void): void {
    this.#watched.set(source, { begunAt: this.#clock.monotonic(), patienceMs: OPEN_PATIENCE_MS, giveUp });
    this.#arm();
  }

  /** Gives the sender, who has authenticated, more time. */
  authenticated(source: Source): void {
    const watched = this.#watched.get(source);
    if (watched) watched.patienceMs = PATIENCE_MS;
  }

  /** Stops watching: the body or frame has arrived. */
  end(source: Source): void {
    this.#watched.delete(source);
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#timer = null;
  }

  #arm(): void {
    if (this.#isClosed) return;
    this.#timer ??= this.#clock.setTimer(() => {
      this.#timer = null;
      this.#look();
      if (this.#watched.size > 0) this.#arm();
    }, LOOK_MS);
  }

  #look(): void {
    const now = this.#clock.monotonic();
    for (const [source, { begunAt, patienceMs, giveUp }] of this.#watched) {
      const isGone = source.destroyed || source.complete === true;
      if (!isGone && now - begunAt < patienceMs) continue;
      this.#watched.delete(source);
      if (!isGone) giveUp();
    }
  }
}
