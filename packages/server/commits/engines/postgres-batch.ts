import { randomUUID } from 'node:crypto';
import type { Settings } from '../../core/settings.ts';
import type { Batch, UnitOutcome, UnitRequest } from '../unit-runner.ts';
import { ServiceError } from '../../core/errors.ts';
import { renderJson } from '../../core/json.ts';
import type { AccountMemory } from './account-memory.ts';
import { IdleWatch, type Watched } from './idle-watch.ts';
import { type Lock, lockRequest } from '../lock-names.ts';
import { FENCED, type Wanted, wantedOf } from './postgres-append.ts';
import {
  appendEvents,
  type Locked,
  markBatch,
  disabledAmong,
  takeLocks,
} from '../../store/engines/postgres-batches.ts';
import type { PostgresConnection } from '../../store/engines/postgres.ts';
import { ConnectionLost, sqlState } from '../../store/engines/postgres-errors.ts';
import { numbers } from '../../store/engines/postgres-log.ts';
import { ShutOut } from '../shut-out.ts';
import { TrackedTransaction } from './tracked-transaction.ts';
import {
  awaitsElsewhere,
  contextOf,
  describe,
  type Done,
  failedOutcome,
  goneOutcome,
  outcomeOf,
  type UnitHandler,
} from '../unit-context.ts';
import type { Chosen } from '../unit-schedule.ts';

export interface BatchPorts {
  nodeKey: () => number;
  settings: Settings;
  handlers: ReadonlyMap<string, UnitHandler>;
  /** Transient events of this node that wait for numbers: a batch that takes them numbers them, or gives them back. */
  grants: { take(): number; giveBack(count: number): void };
}

/** What a batch is known by, in the store too. */
export interface Mark {
  node: number;
  writer: number;
  token: string;
}

/** What came of a batch. */
export type Attempt =
  | { end: 'committed'; batch: Batch }
  /** Two waited for each other: nothing is stored, and it may go well the next time. */
  | { end: 'again'; error: unknown }
  /** One of its units has spoilt the transaction for the others. */
  | { end: 'unit by unit' }
  /** Nothing is stored. */
  | { end: 'refused'; error: unknown }
  | { end: 'fenced'; error: unknown }
  /** The connection was lost while it was committed. `finish` is told the last number, where there is one. */
  | {
      end: 'unknown';
      error: unknown;
      mark: Mark;
      xid: string;
      head: number;
      finish: (last: number | null) => Batch;
      lose: () => void;
    };

/** Deadlocks and failed serializations. */
const isAgain = (error: unknown): boolean => sqlState(error)?.startsWith('40') === true;
const ABORTED = '25P02';
/** No room, no memory, too long a wait, an I/O error: they say nothing about the unit. */
export const isOutOfOrder = (error: unknown): boolean =>
  error instanceof ConnectionLost || /^(53|58|57014|55P03)/.test(sqlState(error) ?? '');

/** Units of a batch that need not wait until it has its locks. */
const FEW = 8;

type Ran = Done | { outcome: UnitOutcome; error: unknown; isSpoilt: boolean };
const isDone = (ran: Ran): ran is Done => 'request' in ran;

interface Writer {
  connection: PostgresConnection;
  memory: AccountMemory;
  number: number;
}

/** One batch of units on one connection, in one transaction (STORE-2). */
export class PostgresBatch {
  /** It has its locks, and will ask for numbers. */
  isRunning = false;
  readonly #connection: PostgresConnection;
  readonly #writer: number;
  readonly #memory: AccountMemory | null;
  readonly #chosen: Chosen;
  readonly #ports: BatchPorts;
  readonly #watch = new IdleWatch();
  #shutOut = new ShutOut();
  #isSpoilt = false;
  #faults: string[] = [];

  constructor(writer: Writer, chosen: Chosen, ports: BatchPorts) {
    this.#connection = writer.connection;
    this.#writer = writer.number;
    // What it changes itself it reads from the store.
    this.#memory = chosen.isExclusive ? null : writer.memory;
    this.#chosen = chosen;
    this.#ports = ports;
  }

  /** Runs it; `unit by unit` in savepoints, so that each that fails fails alone (STORE-3). */
  async attempt(how: 'together' | 'unit by unit'): Promise<Attempt> {
    const { units, isExclusive } = this.#chosen;
    this.#isSpoilt = false;
    this.#faults = [];
    const beginning = this.#begin();
    // As a rule no account has changed since the last batch: what units ask first goes out with the question for locks.
    // Of many at once nobody has an answer sooner by that.
    const isEarly = how === 'together' && units.length <= FEW && this.#isKnown;
    const early = isEarly ? this.#together() : undefined;
    try {
      const { locked, isKnown } = await beginning;
      if (early && !isKnown) {
        await early;
        await this.#connection.exec('ROLLBACK');
        return await this.attempt(how);
      }
      this.isRunning = true;
      const ran = await (early ?? (how === 'together' && !isExclusive ? this.#together() : this.#oneByOne(how)));
      const spoilt = ran.flatMap((unit) => (isDone(unit) || !unit.isSpoilt ? [] : [unit]));
      const [first] = spoilt;
      if (first && (units.length > 1 || isAgain(first.error) || this.#connection.transaction === 'none'))
        return await this.#rollBack(
          spoilt.find(({ error }) => isAgain(error))?.error ?? first.error,
          how === 'together' ? 'unit by unit' : 'refused',
        );
      return await this.#commit(ran, locked);
    } catch (error) {
      await early;
      return await this.#rollBack(error, 'refused');
    } finally {
      this.isRunning = false;
    }
  }

  get #callers(): Set<number> {
    return new Set(this.#chosen.units.map(({ request }) => request.caller.key).filter((key) => key !== 0));
  }

  /** Somebody has called, and the connection knows of all callers that they may. */
  get #isKnown(): boolean {
    const callers = this.#callers;
    return this.#memory !== null && callers.size > 0 && callers.isSubsetOf(this.#memory.admitted);
  }

  /**
   * One statement takes all locks, and what follows sees what was committed before. `isKnown`: what the connection knew
   * of accounts still holds.
   */
  async #begin(): Promise<{ locked: Locked; isKnown: boolean }> {
    this.#shutOut = new ShutOut();
    const connection = this.#connection;
    const memory = this.#memory;
    const { units, isExclusive } = this.#chosen;
    const locks = units.flatMap(({ locks: own }): readonly Lock[] => (own === 'all' ? [] : own));
    const { ids, modes } = lockRequest(locks, isExclusive);
    const callers = this.#callers;
    const unknown = memory ? callers.difference(memory.admitted) : callers;
    const shutOut = async (keys: Set<number>): Promise<readonly { key: number }[]> =>
      keys.size > 0 ? connection.all(disabledAmong, numbers(keys)) : [];
    const [, locked, ofUnknown] = await Promise.all([
      connection.exec('BEGIN'),
      connection.get(takeLocks, ids, modes),
      shutOut(unknown),
    ]);
    if (!locked) throw new Error('a function without rows');
    const isKnown = memory === null || memory.holds(locked.lone_batches);
    const out = isKnown || unknown.size === callers.size ? ofUnknown : await shutOut(callers);
    for (const key of callers) memory?.admitted.add(key);
    for (const { key } of out) this.#setShutOut(key, true);
    this.#shutOut.commit();
    return { locked, isKnown };
  }

  #setShutOut(accountKey: number, isOut: boolean): void {
    if (isOut) this.#memory?.admitted.delete(accountKey);
    this.#shutOut.set(accountKey, isOut);
  }

  /** Those that share nothing run beside each other, those that share a lock in their order. */
  #together(): Promise<Ran[]> {
    const last = new Map<string, { alone: Promise<unknown> | undefined; shared: Promise<unknown>[] }>();
    return Promise.all(
      this.#chosen.units.map(({ request, locks }) => {
        const before: Promise<unknown>[] = [];
        const own = locks === 'all' ? [] : locks;
        for (const { id, isShared } of own) {
          const found = last.get(id);
          if (found?.alone) before.push(found.alone);
          if (found && !isShared) before.push(...found.shared);
        }
        const ran = before.length === 0 ? this.#run(request) : Promise.all(before).then(() => this.#run(request));
        for (const { id, isShared } of own)
          if (!isShared) last.set(id, { alone: ran, shared: [] });
          else {
            const found = last.get(id) ?? { alone: undefined, shared: [] };
            found.shared.push(ran);
            last.set(id, found);
          }
        return ran;
      }),
    );
  }

  async #oneByOne(how: 'together' | 'unit by unit'): Promise<Ran[]> {
    const connection = this.#connection;
    const all: Ran[] = [];
    for (const { request } of this.#chosen.units) {
      if (how === 'unit by unit') await connection.exec('SAVEPOINT unit');
      const ran = await this.#run(request);
      all.push(ran);
      if (how === 'together') continue;
      // One that ended the transaction took all others with it.
      if (connection.lost || connection.transaction === 'none' || (!isDone(ran) && isAgain(ran.error))) break;
      await connection.exec(isDone(ran) ? 'RELEASE unit' : 'ROLLBACK TO unit; RELEASE unit');
      this.#isSpoilt = false;
      if (!isDone(ran)) ran.isSpoilt = false;
    }
    return all;
  }

  async #run(request: UnitRequest): Promise<Ran> {
    const { id, name, caller, input, prepared } = request;
    // Its transaction is of no use any more: it runs another time.
    if (this.#isSpoilt) return { outcome: goneOutcome(id), error: undefined, isSpoilt: true };
    if (this.#shutOut.has(caller.key)) return { outcome: goneOutcome(id), error: undefined, isSpoilt: false };
    const { place } = this.#shutOut;
    const watched: Watched = {
      get underWay() {
        return tx.underWay;
      },
      isSettled: false,
      stop: () => {},
    };
    const accountJson = this.#memory?.json ?? this.#connection.accountJson;
    const tx = new TrackedTransaction(this.#connection, accountJson, () => this.#watch.add(watched));
    const { call, effects } = contextOf(request, {
      tx,
      settings: this.#ports.settings,
      node: this.#ports.nodeKey(),
      shutOut: (accountKey, isOut) => this.#setShutOut(accountKey, isOut),
    });
    try {
      const handle = this.#ports.handlers.get(name);
      if (!handle) throw new Error(`no unit is named ${name}`);
      const result = await this.#settle(handle(call, input, prepared), watched, name);
      if (tx.failure !== null) throw tx.failure;
      return { request, result: result === undefined ? undefined : renderJson(result), effects };
    } catch (error) {
      this.#shutOut.rollBackTo(place);
      const isSpoilt = tx.hasWritten || tx.failure !== null || this.#connection.transaction === 'none';
      this.#isSpoilt ||= isSpoilt;
      if (!(error instanceof ServiceError)) this.#faults.push(`${name}: ${describe(error)}`);
      // What its transaction answered says more than what the unit made of it.
      const cause = tx.failure ?? error;
      const isStores = !(error instanceof ServiceError) && isOutOfOrder(cause);
      return { outcome: failedOutcome(id, error, isStores), error: cause, isSpoilt };
    } finally {
      watched.isSettled = true;
      tx.end();
    }
  }

  #settle(value: unknown, watched: Watched, name: string): unknown {
    if (!(value instanceof Promise)) return value;
    return new Promise((resolve, reject) => {
      watched.stop = () => reject(awaitsElsewhere(name));
      if (watched.underWay === 0) this.#watch.add(watched);
      value.then(resolve, reject);
    });
  }

  async #commit(ran: readonly Ran[], { xid, head }: Locked): Promise<Attempt> {
    const connection = this.#connection;
    const { grants, nodeKey } = this.#ports;
    if (ran.some((unit) => !isDone(unit) && unit.isSpoilt)) {
      // It was alone, and nothing of it stays.
      await connection.exec('ROLLBACK');
      return { end: 'committed', batch: this.#batch(ran, null, 0, wantedOf([])) };
    }
    if (connection.transaction !== 'open') throw new Error('the transaction has ended under its units');
    const wanted = wantedOf(ran.filter(isDone));
    const granted = grants.take();
    this.isRunning = false;
    const mark: Mark = { node: nodeKey(), writer: this.#writer, token: randomUUID() };
    // The numbers last: whoever waits for them waits for the COMMIT alone.
    const [marked, appended, committed] = await Promise.allSettled([
      connection.run(markBatch, mark.node, mark.writer, mark.token),
      connection.get(appendEvents, mark.node, granted, wanted.extra, ...wanted.lists),
      connection.exec('COMMIT'),
    ]);
    const finish = (last: number | null): Batch => this.#batch(ran, last, granted, wanted);
    if (appended.status === 'fulfilled' && committed.status === 'fulfilled')
      return { end: 'committed', batch: finish(appended.value?.last ?? null) };
    const errors = [appended, marked, committed].flatMap((one): unknown[] =>
      one.status === 'rejected' ? [one.reason] : [],
    );
    const lose = (): void => grants.giveBack(granted);
    const told = errors.find((error) => !(error instanceof ConnectionLost));
    if (told === undefined) return { end: 'unknown', error: errors[0], mark, xid, head, finish, lose };
    lose();
    if (sqlState(told) === FENCED) return { end: 'fenced', error: told };
    // A statement that its unit has not waited for has failed.
    return this.#rollBack(told, sqlState(told) === ABORTED ? 'unit by unit' : 'refused');
  }

  async #rollBack(error: unknown, end: 'unit by unit' | 'refused'): Promise<Attempt> {
    const connection = this.#connection;
    if (!connection.lost)
      try {
        await connection.exec('ROLLBACK');
      } catch {
        // Lost meanwhile: there is nothing to roll back.
      }
    if (isAgain(error)) return { end: 'again', error };
    return connection.lost || end === 'refused' ? { end: 'refused', error } : { end };
  }

  /** As it is told: `last` is the last of its numbers. */
  #batch(ran: readonly Ran[], last: number | null, granted: number, { events, extra }: Wanted): Batch {
    const count = granted + events + extra;
    const isNumbered = last !== null && last > 0 && count > 0;
    const first = isNumbered ? last - count + 1 : 0;
    let seq = first + granted;
    const outcomes = ran.map((unit): UnitOutcome => {
      if (!isDone(unit)) return unit.outcome;
      const outcome = outcomeOf(unit, seq);
      seq += outcome.effects.filter(({ type }) => type === 'event').length;
      return outcome;
    });
    const taken = isNumbered
      ? { granted, firstGranted: first, lastSeq: last }
      : { granted: 0, firstGranted: 0, lastSeq: 0 };
    return { outcomes, ...taken, faults: this.#faults };
  }
}
