import type { Caller } from '../access/call.ts';
import type { Clock, Timer } from '../core/clock.ts';
import type { Effect, Intent, LoggedEvent } from '../commits/effects.ts';
import { ServiceError, unavailable } from '../core/errors.ts';
import { type Held, thisThread } from '../core/held-thread.ts';
import type { EventLog } from '../log/event-log.ts';
import { skipsCaller } from '../core/event-kinds.ts';
import { reach, unitPoints } from '../core/unit-points.ts';
import type { Batch, UnitOutcome, UnitRunner } from '../commits/unit-runner.ts';

interface Pending {
  /** When a client's call was queued; null for the service's own units, which wait without a timeout. */
  askedAt: number | null;
  resolve: (result: string | undefined) => void;
  reject: (error: Error) => void;
  /** Id of the calling socket. */
  socketId: string | undefined;
}

/** What comes with the call of a unit besides its input. */
interface UnitOrigin {
  prepared?: unknown;
  socketId?: string | undefined;
  /** The caller's network address. */
  address?: string;
}

/** How long callers wait for a store that may be unavailable. */
interface Patience {
  clock: Clock;
  ms: number;
}

interface UnitQueueOptions {
  log: EventLog;
  onFault: (fault: string) => void;
  patience?: Patience;
  /** Called once when the store has failed; by then all calls are rejected. */
  onFailure?: (error: Error) => void;
  /** Called for each callback that held the thread of the store (OPS-7). */
  onHeld?: (held: Held) => void;
}

/** The rooms whose memory committed units change. They call units themselves, so they open after the queue. */
interface CommittedMemory {
  /** Called with each intent of a committed unit, in the unit's order of intents and events. */
  apply(intent: Intent): void;
}

/** The caller of the service's own units, and of open operations without a token. */
export const theService: Caller = {
  key: 0,
  ownerKey: 0,
  username: '',
  displayName: '',
  kind: 'agent',
  role: 'guest',
  sessionKey: null,
};

/** How often the queue is checked for timed-out callers. */
const SWEEP_MS = 1_000;

/** The main thread's side of the store: posts units, and applies the effects of committed batches in order. */
export class UnitQueue {
  readonly #runner: UnitRunner;
  readonly #log: EventLog;
  readonly #onFault: (fault: string) => void;
  readonly #patience: Patience | null;
  readonly #pending = new Map<number, Pending>();
  #memory: CommittedMemory | null = null;
  #nextId = 1;
  #onIdle: (() => void)[] = [];
  #isClosed = false;
  /** The store has failed. */
  #isLost = false;
  #sweep: Timer | null = null;

  constructor(runner: UnitRunner, options: UnitQueueOptions) {
    this.#runner = runner;
    this.#patience = options.patience ?? null;
    this.#log = options.log;
    this.#onFault = options.onFault;
    const { onFailure, onHeld } = options;
    runner.onBatch = (batch) => thisThread.run('batch', () => this.#take(batch));
    if (onFailure)
      runner.onFailure = (error) => {
        if (this.#isLost) return;
        this.#isLost = true;
        this.abort();
        onFailure(error);
      };
    if (onHeld) runner.onHeld = onHeld;
  }

  /** The one call from the store to the rooms that use it; no unit that changes memory may run before. */
  connect(memory: CommittedMemory): void {
    this.#memory = memory;
  }

  get inFlight(): number {
    return this.#pending.size;
  }

  /** Runs a unit. Resolves with its result as JSON text when the unit is durable and its events are being sent. */
  run(
    name: string,
    caller: Caller,
    input: unknown,
    now: number,
    { prepared, socketId, address }: UnitOrigin = {},
  ): Promise<string | undefined> {
    if (this.#isClosed) return Promise.reject(unavailable('the service is stopping'));
    const id = this.#nextId;
    this.#nextId += 1;
    if (unitPoints.hasSubscribers) reach({ point: 'asked', id });
    return new Promise((resolve, reject) => {
      const askedAt = this.#patience && caller !== theService ? this.#patience.clock.monotonic() : null;
      this.#pending.set(id, { askedAt, resolve, reject, socketId });
      if (askedAt !== null) this.#sweepLater();
      this.#runner.post([{ id, name, caller, input, prepared, now, ...(address !== undefined && { address }) }]);
    });
  }

  /** Resolves when every unit has been answered and the answers have been passed on. */
  async idle(): Promise<void> {
    while (this.#pending.size > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#sweep?.cancel();
    await this.#runner.close();
    this.abort();
  }

  /** Rejects new, queued and running calls as `unavailable`. The store may still have committed a running one. */
  abort(): void {
    this.#isClosed = true;
    this.#sweep?.cancel();
    for (const { reject } of this.#pending.values()) reject(unavailable('the service is stopping'));
    this.#pending.clear();
    this.#notifyIdle();
  }

  #take(batch: Batch): void {
    for (const fault of batch.faults) this.#onFault(fault);
    this.#log.takeBatch(batch, (at) => {
      const outcome = batch.outcomes[at];
      if (outcome) this.#settle(outcome);
    });
  }

  #settle(outcome: UnitOutcome): void {
    if (unitPoints.hasSubscribers) reach({ point: 'settling', id: outcome.id });
    const pending = this.#pending.get(outcome.id);
    this.#pending.delete(outcome.id);
    if (outcome.ok) {
      for (const effect of outcome.effects) this.#apply(effect, pending?.socketId);
      pending?.resolve(typeof outcome.result === 'number' ? paramsAt(outcome.effects, outcome.result) : outcome.result);
    } else pending?.reject(new ServiceError(outcome.code, outcome.message, outcome.parameters));
    this.#notifyIdle();
  }

  #apply(effect: Effect, socketId: string | undefined): void {
    if (effect.type === 'event') this.#log.publishLogged(withoutCaller(effect, socketId));
    else if (this.#log.takesIntent(effect)) {
      if (!this.#memory) throw new Error('a unit has changed memory before the rooms that hold it were open');
      this.#memory.apply(effect);
    }
  }

  #sweepLater(): void {
    if (this.#isClosed) return;
    this.#sweep ??= this.#patience?.clock.setTimer(() => this.#giveUp(), SWEEP_MS) ?? null;
  }

  /** Rejects callers that have waited too long; their units still take effect when they are done. */
  #giveUp(): void {
    this.#sweep = null;
    const before = (this.#patience?.clock.monotonic() ?? 0) - (this.#patience?.ms ?? 0);
    let isWaitedFor = false;
    for (const [id, { askedAt, reject }] of this.#pending) {
      if (askedAt === null) continue;
      if (askedAt > before) {
        isWaitedFor = true;
        break;
      }
      this.#pending.delete(id);
      reject(unavailable('the store does not answer; try again'));
    }
    if (isWaitedFor) this.#sweepLater();
    this.#notifyIdle();
  }

  /** Called after each processed outcome, because a batch may be processed long after it was received. */
  #notifyIdle(): void {
    if (this.#pending.size > 0 || this.#onIdle.length === 0) return;
    const waiting = this.#onIdle;
    this.#onIdle = [];
    // Callers that wait for a unit's result continue first.
    setImmediate(() => waiting.forEach((resolve) => resolve()));
  }
}

/** Excludes the calling socket from the receivers of the event, if events of this kind exclude it. */
const withoutCaller = (event: LoggedEvent, socketId: string | undefined): LoggedEvent =>
  socketId !== undefined && skipsCaller(event.kind) ? { ...event, exceptSocket: socketId } : event;

function paramsAt(effects: readonly Effect[], at: number): string | undefined {
  const effect = effects[at];
  return effect?.type === 'event' ? effect.params : undefined;
}
