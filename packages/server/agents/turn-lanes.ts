import type { Clock, Timer } from '../core/clock.ts';
import type { Lane } from '../store/turns.ts';

/** Lanes looked into in one turn of the event loop: a start may find very many. */
const LANES_AT_ONCE = 64;
/** What cannot be read now is looked into again this much later. */
const RETRY_MS = 1_000;

/** The firings of each agent for each human: how many of them run, and where some may wait for their turn (TURN-11). */
export class TurnLanes {
  readonly #clock: Clock;
  readonly #fill: (lane: Lane) => Promise<void>;
  readonly #onFault: (error: unknown) => void;
  readonly #running = new Map<string, number>();
  readonly #due = new Map<string, Lane>();
  /** Lanes that are being looked into, and whether they are to be once more: what was read may be older than that. */
  readonly #looking = new Map<string, { isAsked: boolean }>();
  readonly #failed: Lane[] = [];
  #retry: Timer | null = null;
  #isScheduled = false;
  #isClosed = false;

  constructor(clock: Clock, fill: (lane: Lane) => Promise<void>, onFault: (error: unknown) => void) {
    this.#clock = clock;
    this.#fill = fill;
    this.#onFault = onFault;
  }

  /** Nothing is being looked into, or is to be. */
  get isIdle(): boolean {
    return this.#due.size === 0 && this.#looking.size === 0;
  }

  runningIn(lane: Lane): number {
    return this.#running.get(nameOf(lane)) ?? 0;
  }

  began(lane: Lane): void {
    this.#running.set(nameOf(lane), this.runningIn(lane) + 1);
  }

  ended(lane: Lane): void {
    const left = this.runningIn(lane) - 1;
    if (left > 0) this.#running.set(nameOf(lane), left);
    else this.#running.delete(nameOf(lane));
  }

  /** Something may wait in these lanes: however often that is said, each is looked into once, a turn of the loop later. */
  wake(lanes: Iterable<Lane>): void {
    for (const lane of lanes) this.#due.set(nameOf(lane), lane);
    if (this.#isScheduled || this.#due.size === 0 || this.#looking.size >= LANES_AT_ONCE) return;
    this.#isScheduled = true;
    setImmediate(() => this.#lookAtDue());
  }

  /** Looks into a lane at once, or again behind the look that is under way. */
  look(lane: Lane): void {
    const name = nameOf(lane);
    this.#due.delete(name);
    const underWay = this.#looking.get(name);
    if (underWay) underWay.isAsked = true;
    else void this.#look(name, lane);
  }

  /** Looks into nothing any more of its own accord. */
  close(): void {
    this.#isClosed = true;
    this.#due.clear();
    this.#retry?.cancel();
  }

  async #look(name: string, lane: Lane): Promise<void> {
    const look = { isAsked: true };
    this.#looking.set(name, look);
    try {
      while (look.isAsked) {
        look.isAsked = false;
        await this.#fill(lane);
      }
    } catch (error) {
      if (this.#isClosed) return;
      this.#onFault(error);
      this.#failed.push(lane);
      this.#retry ??= this.#clock.setTimer(() => this.#lookAgain(), RETRY_MS);
    } finally {
      this.#looking.delete(name);
      this.wake([]);
    }
  }

  #lookAgain(): void {
    this.#retry = null;
    this.wake(this.#failed.splice(0));
  }

  #lookAtDue(): void {
    this.#isScheduled = false;
    for (const lane of this.#due.values()) {
      if (this.#looking.size >= LANES_AT_ONCE) return;
      this.look(lane);
    }
  }
}

const nameOf = ({ agent_key, human_key }: Lane): string => `${agent_key} ${human_key}`;
