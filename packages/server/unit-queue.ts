import type { Caller } from './call.ts';
import type { Effect } from './effects.ts';
import { ServiceError, unavailable } from './errors.ts';
import type { EventLog } from './events/event-log.ts';
import type { Batch, UnitOutcome, UnitRunner } from './units.ts';

interface Pending {
  resolve: (result: string | undefined) => void;
  reject: (error: Error) => void;
}

/** Nobody in particular: the service's own units. */
export const theService: Caller = { key: 0, username: '', displayName: '', kind: 'agent', sessionKey: null };

/** The main thread's side of the store: asks for units, and does what a committed batch left to do, in order. */
export class UnitQueue {
  readonly #runner: UnitRunner;
  readonly #log: EventLog;
  readonly #apply: (effect: Effect) => void;
  readonly #onFault: (fault: string) => void;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #onIdle: (() => void)[] = [];
  #isClosed = false;

  constructor(
    runner: UnitRunner,
    ports: { log: EventLog; apply: (effect: Effect) => void; onFault: (fault: string) => void },
  ) {
    this.#runner = runner;
    this.#log = ports.log;
    this.#apply = ports.apply;
    this.#onFault = ports.onFault;
    runner.onBatch = (batch) => this.#take(batch);
  }

  get inFlight(): number {
    return this.#pending.size;
  }

  /** Runs a unit; resolves with its result as JSON text once it is durable and its events are on their way. */
  run(name: string, caller: Caller, input: unknown, now: number, prepared?: unknown): Promise<string | undefined> {
    if (this.#isClosed) return Promise.reject(unavailable('the service is stopping'));
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#runner.post([{ id, name, caller, input, prepared, now }]);
    });
  }

  /** Resolves when every unit has been answered, and the answers have been handed on. */
  async idle(): Promise<void> {
    while (this.#pending.size > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#runner.close();
    for (const { reject } of this.#pending.values()) reject(unavailable('the service is stopping'));
    this.#pending.clear();
  }

  #take(batch: Batch): void {
    for (const fault of batch.faults) this.#onFault(fault);
    this.#log.takeBatch(batch, (at) => {
      const outcome = batch.outcomes[at];
      if (outcome) this.#settle(outcome);
    });
  }

  #settle(outcome: UnitOutcome): void {
    const pending = this.#pending.get(outcome.id);
    this.#pending.delete(outcome.id);
    if (outcome.ok) {
      for (const effect of outcome.effects) this.#apply(effect);
      pending?.resolve(typeof outcome.result === 'number' ? paramsAt(outcome.effects, outcome.result) : outcome.result);
    } else pending?.reject(new ServiceError(outcome.code, outcome.message, outcome.parameters));
    this.#tellIdle();
  }

  /** A batch may have its turn long after it was taken: it is looked at behind each answer. */
  #tellIdle(): void {
    if (this.#pending.size > 0 || this.#onIdle.length === 0) return;
    const waiting = this.#onIdle;
    this.#onIdle = [];
    // Whoever waits for a unit's result goes on first.
    setImmediate(() => waiting.forEach((resolve) => resolve()));
  }
}

function paramsAt(effects: readonly Effect[], at: number): string | undefined {
  const effect = effects[at];
  return effect?.type === 'event' ? effect.params : undefined;
}
