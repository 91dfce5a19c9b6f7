import type { Frame, Result } from '@parley/protocol';
import { retryAfterMs } from './api.ts';
import { retryDelayMs } from './backoff.ts';
import type { Clock, Timer } from './environment.ts';

/** Maximum frames that wait while missed ones are fetched; later frames are dropped and fetched too. */
const MAX_WAITING = 2_000;

/**
 * A store attached to the client: it holds a copy of the account's data and reloads it if too many events were missed.
 */
export interface LogConsumer {
  /** Loads all data; resolves to the head of the log from before the load. */
  load(): Promise<number>;
  /** It already holds the data as of the client's position. */
  isRestored?: boolean;
  /** Wraps the delivery of a frame, or of a page of missed frames. */
  deliver(work: () => void): void;
}

export interface LogFollowerParts {
  clock: Clock;
  random: () => number;
  /** Sent over the current socket. */
  getUpdates: (since: number) => Promise<Result<'getUpdates'>>;
  /** Called with the frames of the log, in order, each once, and with frames outside the log. */
  onFrame: (frame: Frame, isReplay: boolean) => void;
  /**
   * Called before the first load and before each reload: texts that were fetched earlier may be stale.
   */
  onStart: () => void;
  /** Called when events were lost permanently. */
  onReload: (head: number) => void;
  onGap: () => void;
  onCaughtUp: () => void;
  /** Called when the service refused the token or did not answer. */
  onFailure: (error: unknown) => void;
}

/** Follows the update log by the rules of the interface: order, gaps, truncation, each frame once. */
export class LogFollower {
  /** The `seq` up to which all frames were delivered; null until there is a starting point. */
  position: number | null = null;
  readonly #parts: LogFollowerParts;
  readonly #consumers = new Set<LogConsumer>();
  #waiting: Frame[] = [];
  /** The highest seq among frames dropped because the queue was full. */
  #passedOver = 0;
  #isRecovering = true;
  #mustLoad = false;
  /** Events were lost, and the reload has not finished. */
  #isReloading = false;
  /** Incremented per connection; work started for an earlier one is abandoned. */
  #connection = 0;
  #pause: { timer: Timer; end: () => void } | null = null;

  constructor(parts: LogFollowerParts) {
    this.#parts = parts;
  }

  attach(consumer: LogConsumer): () => void {
    this.#consumers.add(consumer);
    if (consumer.isRestored && this.position !== null) return () => void this.#consumers.delete(consumer);
    this.#mustLoad = true;
    if (!this.#isRecovering) this.#recover(0);
    return () => void this.#consumers.delete(consumer);
  }

  /** A socket has received its greeting: frames after `position` up to `head` are missing. */
  greet(head: number): void {
    this.lose();
    this.position ??= this.#consumers.size > 0 ? null : head;
    this.#recover(head);
  }

  /** The socket is lost, along with its undelivered frames. */
  lose(): void {
    this.#connection += 1;
    this.#isRecovering = true;
    this.#waiting = [];
    this.#passedOver = 0;
    this.#pause?.end();
  }

  tick(head: number): void {
    if (!this.#isRecovering && head > (this.position ?? 0)) this.#recover(head);
  }

  take(frame: Frame): void {
    if (this.#isRecovering) return this.#keep(frame);
    if (this.#fits(frame)) return this.#deliver(() => this.#handle(frame, false));
    this.#keep(frame);
    return this.#recover(frame.prev);
  }

  #keep(frame: Frame): void {
    if (this.#waiting.length < MAX_WAITING && this.#passedOver === 0) this.#waiting.push(frame);
    else this.#passedOver = Math.max(this.#passedOver, frame.seq);
  }

  /** A frame with seq equal to prev is outside the log and always fits (LOG-11). */
  #fits({ seq, prev }: Frame): boolean {
    return seq === prev || prev <= (this.position ?? 0);
  }

  #handle(frame: Frame, isReplay: boolean): void {
    if (frame.seq === frame.prev) return this.#parts.onFrame(frame, isReplay);
    if (frame.seq <= (this.position ?? 0)) return;
    this.position = frame.seq;
    this.#parts.onFrame(frame, isReplay);
  }

  /** Runs a delivery inside the `deliver` of every attached store. */
  #deliver(work: () => void): void {
    let run = work;
    for (const consumer of this.#consumers) {
      const inner = run;
      run = () => consumer.deliver(inner);
    }
    run();
  }

  #recover(head: number): void {
    if (!this.#isRecovering) this.#parts.onGap();
    this.#isRecovering = true;
    void this.#catchUp(head, this.#connection);
  }

  async #catchUp(head: number, connection: number): Promise<void> {
    const isVoid = (): boolean => connection !== this.#connection;
    let target = head;
    for (let attempt = 0; ; attempt += 1) {
      try {
        if (this.#mustLoad) await this.#load();
        while (!isVoid() && (this.position ?? 0) < target) {
          if (await this.#fetchPage(isVoid)) continue;
          if (this.#mustLoad) break;
          // The service has no newer frames, even if an earlier frame announced a higher `seq`.
          target = 0;
        }
        if (isVoid()) return;
        if (this.#mustLoad) continue;
        target = this.#drain();
        if (target > 0) continue;
        this.#isRecovering = false;
        return this.#parts.onCaughtUp();
      } catch (error) {
        if (isVoid()) return;
        this.#parts.onFailure(error);
        await this.#wait(attempt, error);
        if (isVoid()) return;
      }
    }
  }

  async #load(): Promise<void> {
    if (this.position === null || this.#isReloading) this.#parts.onStart();
    const consumers = [...this.#consumers];
    const heads = await Promise.all(consumers.map((consumer) => consumer.load()));
    if (heads.length > 0) this.position = Math.max(this.position ?? 0, Math.min(...heads));
    this.#isReloading = false;
    // A store that was attached during the load still has to load.
    this.#mustLoad = [...this.#consumers].some((consumer) => !consumers.includes(consumer));
  }

  /** Fetches a page of missed frames; resolves to whether there is another. */
  async #fetchPage(isVoid: () => boolean): Promise<boolean> {
    const page = await this.#parts.getUpdates(this.position ?? 0);
    if (isVoid()) return false;
    if (page.truncated) {
      this.#mustLoad = this.#consumers.size > 0;
      this.position = page.head;
      this.#isReloading = true;
      this.#parts.onReload(page.head);
      return false;
    }
    this.#deliver(() => {
      for (const frame of page.frames) this.#handle(frame, true);
    });
    if (page.more) return true;
    this.position = Math.max(this.position ?? 0, page.head);
    return false;
  }

  /** Delivers waiting frames; returns the seq up to which frames are still missing, or 0. */
  #drain(): number {
    let missing = 0;
    this.#deliver(() => {
      let taken = 0;
      for (const frame of this.#waiting) {
        if (!this.#fits(frame)) {
          missing = frame.prev;
          break;
        }
        taken += 1;
        this.#handle(frame, false);
      }
      this.#waiting = this.#waiting.slice(taken);
    });
    if (missing > 0) return missing;
    missing = this.#passedOver > (this.position ?? 0) ? this.#passedOver : 0;
    this.#passedOver = 0;
    return missing;
  }

  #wait(attempt: number, error: unknown): Promise<void> {
    const { clock, random } = this.#parts;
    const delayMs = retryDelayMs(attempt, random) + retryAfterMs(error);
    return new Promise((resolve) => {
      const end = (): void => {
        timer.cancel();
        this.#pause = null;
        resolve();
      };
      const timer = clock.setTimer(end, delayMs);
      this.#pause = { timer, end };
    });
  }
}
