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
import { noAccountTexts } from '../../rendering/account-texts.ts';
import type { PostgresConnection } from '../../store/engines/postgres.ts';
import { ConnectionLost } from '../../store/engines/connection-lost.ts';
import { sqlState } from '../../store/engines/postgres-errors.ts';
import { numbers } from '../../store/engines/postgres-log.ts';
import { ShutOut } from '../shut-out.ts';
import { TrackedTransaction, type WriteTurn } from './tracked-transaction.ts';
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

export interface BatchNeeds {
  nodeKey: () => number;
  settings: Settings;
  handlers: ReadonlyMap<string, UnitHandler>;
  /** Transient events of this node that wait for numbers. A batch takes them, and gives them back if it fails. */
  grants: { take(): number; giveBack(count: number): void };
}

/** Identifies a batch; stored with it. */
export interface Mark {
  node: number;
  writer: number;
  token: string;
}

/** The outcome of one attempt to run a batch. */
type Attempt =
  | { end: 'committed'; batch: Batch }
  /** A deadlock or serialization failure: nothing is stored, and a retry may succeed. */
  | { end: 'again'; error: unknown }
  /** A unit that wrote has failed: the transaction is rolled back, and the batch must run again with savepoints. */
  | { end: 'unit by unit' }
  /** Nothing is stored. */
  | { end: 'refused'; error: unknown }
  | { end: 'fenced'; error: unknown }
  /**
   * The connection was lost during COMMIT. If the batch was committed, `finish` makes its result from its last number.
   */
  | {
      end: 'unknown';
      error: unknown;
      mark: Mark;
      xid: string;
      head: number;
      finish: (last: number | null) => Batch;
      lose: () => void;
    };

/** Deadlocks and serialization failures. */
const isRetryable = (error: unknown): boolean => sqlState(error)?.startsWith('40') === true;
const ABORTED = '25P02';
/** Errors of the store, not of the unit: no disk space, no memory, a timeout, an I/O error. */
export const isOutOfOrder = (error: unknown): boolean =>
  error instanceof ConnectionLost || /^(53|58|57014|55P03)/.test(sqlState(error) ?? '');

type Ran = Done | { outcome: UnitOutcome; error: unknown; isSpoilt: boolean };
const isDone = (ran: Ran): ran is Done => 'request' in ran;

interface Writer {
  connection: PostgresConnection;
  memory: AccountMemory;
  number: number;
}

/** The last units of a batch that hold a lock, all in the same mode; exclusively only one does. */
interface Holders {
  readonly mode: 'alone' | 'shared' | 'append';
  /** Ends of the units that held the lock before them. */
  readonly before: readonly Promise<unknown>[];
  readonly ended: Promise<unknown>[];
  /** The first write, or the end, of the last unit that appends. */
  wrote: Promise<unknown> | undefined;
}

/** One batch of units on one connection, in one transaction (STORE-2). */
export class PostgresBatch {
  /** Whether the batch has its locks and has not yet taken numbers. */
  isRunning = false;
  readonly #connection: PostgresConnection;
  readonly #writer: number;
  readonly #memory: AccountMemory | null;
  readonly #chosen: Chosen;
  readonly #needs: BatchNeeds;
  readonly #watch = new IdleWatch();
  #shutOut = new ShutOut();
  #isSpoilt = false;
  #faults: string[] = [];

  constructor(writer: Writer, chosen: Chosen, needs: BatchNeeds) {
    this.#connection = writer.connection;
    this.#writer = writer.number;
    // An exclusive batch may change accounts, so it reads them from the store.
    this.#memory = chosen.isExclusive ? null : writer.memory;
    this.#chosen = chosen;
    this.#needs = needs;
  }

  /** Runs the batch. With `unit by unit` each unit has a savepoint, so that a failing one fails alone (STORE-3). */
  async attempt(how: 'together' | 'unit by unit'): Promise<Attempt> {
    const { units, isExclusive } = this.#chosen;
    this.#isSpoilt = false;
    this.#faults = [];
    const beginning = this.#begin();
    // Usually no account has changed since the last batch: then the units' first statements are sent together with the
    // request for locks.
    const isEarly = how === 'together' && this.#isKnown;
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
      if (first && (units.length > 1 || isRetryable(first.error) || this.#connection.transaction === 'none'))
        return await this.#rollBack(
          spoilt.find(({ error }) => isRetryable(error))?.error ?? first.error,
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

  /** Whether the batch has callers, and all of them are in the cache of admitted accounts. */
  get #isKnown(): boolean {
    const callers = this.#callers;
    return this.#memory !== null && callers.size > 0 && callers.isSubsetOf(this.#memory.admitted);
  }

  /**
   * Takes all locks with one statement; later statements see everything that was committed before. `isKnown`: the
   * cached accounts are still valid.
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
    if (!locked) throw new Error('take_locks returned no row');
    const isKnown = memory === null || memory.isValidAfter(locked.lone_batches);
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

  /**
   * Runs units that share no lock concurrently, and units that share one in order. Units with the same appending lock
   * read concurrently and write in order.
   */
  #together(): Promise<Ran[]> {
    const holders = new Map<string, Holders>();
    return Promise.all(
      this.#chosen.units.map(({ request, locks }) => {
        const before: Promise<unknown>[] = [];
        const writers: Promise<unknown>[] = [];
        const ends: Promise<unknown>[] = [];
        const joined: Holders[] = [];
        for (const { id, isShared, isAppend } of locks === 'all' ? [] : locks) {
          const mode = isAppend ? 'append' : isShared ? 'shared' : 'alone';
          let own = holders.get(id);
          if (!own || mode === 'alone' || mode !== own.mode)
            holders.set(id, (own = { mode, before: own?.ended ?? [], ended: [], wrote: undefined }));
          before.push(...own.before);
          if (own.wrote) writers.push(own.wrote);
          if (mode === 'append') ends.push(...own.ended);
          joined.push(own);
        }
        const after = writers.length === 0 ? undefined : Promise.all(writers);
        const { promise: wrote, resolve } = Promise.withResolvers<unknown>();
        // A unit that ends without having written must not let the next one overtake those before it.
        const turn = { after, ends, pass: () => resolve(after) };
        const ran =
          before.length === 0 ? this.#run(request, turn) : Promise.all(before).then(() => this.#run(request, turn));
        for (const own of joined) {
          own.ended.push(ran);
          if (own.mode === 'append') own.wrote = wrote;
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
      // The unit ended the transaction, and with it all other units.
      if (connection.lost || connection.transaction === 'none' || (!isDone(ran) && isRetryable(ran.error))) break;
      await connection.exec(isDone(ran) ? 'RELEASE unit' : 'ROLLBACK TO unit; RELEASE unit');
      this.#isSpoilt = false;
      if (!isDone(ran)) ran.isSpoilt = false;
    }
    return all;
  }

  async #run(request: UnitRequest, turn?: WriteTurn): Promise<Ran> {
    const { id, name, caller, input, prepared } = request;
    // A unit failed after it wrote, so the transaction will be rolled back and this unit runs again.
    const isGone = this.#shutOut.has(caller.key);
    if (this.#isSpoilt || isGone) {
      turn?.pass();
      return { outcome: goneOutcome(id), error: undefined, isSpoilt: this.#isSpoilt };
    }
    const { place } = this.#shutOut;
    const watched: Watched = {
      get underWay() {
        return tx.underWay;
      },
      isSettled: false,
      stop: () => {},
    };
    const tx = new TrackedTransaction(this.#connection, () => this.#watch.add(watched), turn);
    const { call, effects } = contextOf(request, {
      tx,
      accounts: this.#memory?.texts ?? noAccountTexts,
      settings: this.#needs.settings,
      node: this.#needs.nodeKey(),
      inTurn: () => tx.inTurn(),
      shutOut: (accountKey, isOut) => this.#setShutOut(accountKey, isOut),
    });
    try {
      const handle = this.#needs.handlers.get(name);
      if (!handle) throw new Error(`no unit is named ${name}`);
      const result = await this.#settle(handle(call, input, prepared), watched, name);
      if (tx.failure !== null) throw tx.failure;
      return { request, result: result === undefined ? undefined : renderJson(result), effects };
    } catch (error) {
      this.#shutOut.rollBackTo(place);
      const isSpoilt = tx.hasWritten || tx.failure !== null || this.#connection.transaction === 'none';
      this.#isSpoilt ||= isSpoilt;
      if (!(error instanceof ServiceError)) this.#faults.push(`${name}: ${describe(error)}`);
      // The transaction's error names the cause, which the error that the unit threw may hide.
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
    const { grants, nodeKey } = this.#needs;
    if (ran.some((unit) => !isDone(unit) && unit.isSpoilt)) {
      // The batch has only this unit, which has failed.
      await connection.exec('ROLLBACK');
      return { end: 'committed', batch: this.#batch(ran, null, 0, wantedOf([])) };
    }
    if (connection.transaction !== 'open') throw new Error('the transaction has ended before its units');
    const wanted = wantedOf(ran.filter(isDone));
    const granted = grants.take();
    this.isRunning = false;
    const mark: Mark = { node: nodeKey(), writer: this.#writer, token: randomUUID() };
    // Numbers are taken last, because other batches wait for them until this COMMIT.
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
    const answered = errors.find((error) => !(error instanceof ConnectionLost));
    if (answered === undefined) return { end: 'unknown', error: errors[0], mark, xid, head, finish, lose };
    lose();
    if (sqlState(answered) === FENCED) return { end: 'fenced', error: answered };
    // ABORTED means that a statement failed which its unit did not await.
    return this.#rollBack(answered, sqlState(answered) === ABORTED ? 'unit by unit' : 'refused');
  }

  async #rollBack(error: unknown, end: 'unit by unit' | 'refused'): Promise<Attempt> {
    const connection = this.#connection;
    if (!connection.lost)
      try {
        await connection.exec('ROLLBACK');
      } catch {
        // The connection is lost, so there is nothing to roll back.
      }
    if (isRetryable(error)) return { end: 'again', error };
    return connection.lost || end === 'refused' ? { end: 'refused', error } : { end };
  }

  /** The result of a committed batch; `last` is its last number. */
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
