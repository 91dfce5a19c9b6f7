import { ServiceError } from '../../core/errors.ts';
import { eventKinds } from '../../core/event-kinds.ts';
import { RESERVE_BLOCK, type Sequence } from '../sequence.ts';
import { thisThread } from '../../core/held-thread.ts';
import { renderJson } from '../../core/json.ts';
import type { Settings } from '../../core/settings.ts';
import type { Batch, UnitOutcome, UnitRequest } from '../unit-runner.ts';
import { AccountTexts } from '../../rendering/account-texts.ts';
import { reach, unitPoints } from '../../core/unit-points.ts';
import { insertEvent, setMeta } from '../../store/log.ts';
import { ShutOut } from '../shut-out.ts';
import type { SqliteConnection } from '../../store/engines/sqlite.ts';
import {
  awaitsElsewhere,
  contextOf,
  COULD_NOT_COMMIT,
  countEvents,
  describe,
  type Done,
  failedOutcome,
  goneOutcome,
  lostOutcomes,
  outcomeOf,
  storedParams,
  type UnitHandler,
} from '../unit-context.ts';
import { UnitTransaction } from './unit-transaction.ts';
import type { CommitFlush } from './commit-flush.ts';

/** The units of an open transaction. */
interface Units {
  done: Done[];
  failed: UnitOutcome[];
}

/** A unit failed after it wrote: the batch runs again, with a savepoint for each unit. */
class HalfDone extends Error {}

/**
 * Runs units one after another in one transaction, and commits once (STORE-2, STORE-3). Few units fail after they have
 * written; only a batch that has one gets savepoints.
 */
export class SqliteUnits {
  readonly #connection: SqliteConnection;
  readonly #sequence: Sequence;
  readonly #settings: Settings;
  readonly #handlers: ReadonlyMap<string, UnitHandler>;
  readonly #shutOut = new ShutOut();
  /** Emptied when a unit that wrote is rolled back, because that unit may have changed an account. */
  readonly #accounts = new AccountTexts();
  #guard: NodeJS.Immediate | null = null;
  #stuck: (() => void) | null = null;
  readonly #flush: CommitFlush | null;
  /** The last reserved number of a commit that is not flushed yet. */
  #reserving = 0;

  /** Without `flush` the connection flushes each commit by itself. */
  constructor(
    connection: SqliteConnection,
    sequence: Sequence,
    settings: Settings,
    handlers: ReadonlyMap<string, UnitHandler>,
    flush: CommitFlush | null = null,
  ) {
    this.#flush = flush;
    this.#connection = connection;
    this.#sequence = sequence;
    this.#settings = settings;
    this.#handlers = handlers;
  }

  async run(requests: readonly UnitRequest[]): Promise<Batch> {
    const faults: string[] = [];
    const outcomes: UnitOutcome[] = [];
    const taken = { granted: 0, firstGranted: 0, lastSeq: 0 };
    try {
      const writes = this.#connection.writes;
      const units = (await this.#tryPlain(requests, faults)) ?? (await this.#begin(requests, faults, true));
      const ids = unitPoints.hasSubscribers ? requests.map(({ id }) => id) : null;
      if (ids) reach({ point: 'ran', ids });
      const done = thisThread.run('commit', () => {
        const { outcomes, reserved } = this.#number(units.done, taken);
        if (this.#connection.writes === writes) this.#connection.control('COMMIT');
        else this.#commit(reserved);
        return outcomes;
      });
      if (ids) reach({ point: 'committed', ids });
      this.#shutOut.commit();
      outcomes.push(...units.failed, ...done);
    } catch (error) {
      faults.push(describe(error));
      this.#rollBack();
      // Numbers whose reservation is not durable must not be used: after a crash they would be used again (LOG-2).
      if (taken.firstGranted + taken.granted - 1 > this.#sequence.reserved) taken.granted = 0;
      outcomes.length = 0;
      outcomes.push(...lostOutcomes(requests, COULD_NOT_COMMIT));
    }
    clearImmediate(this.#guard ?? undefined);
    this.#guard = null;
    return { outcomes, ...taken, faults };
  }

  /** Runs the units without savepoints; if one fails after it wrote, rolls everything back and returns null. */
  async #tryPlain(requests: readonly UnitRequest[], faults: string[]): Promise<Units | null> {
    try {
      return await this.#begin(requests, faults, false);
    } catch (error) {
      if (!(error instanceof HalfDone)) throw error;
      this.#rollBack();
      faults.length = 0;
      return null;
    }
  }

  /** Runs the units in a new transaction, which stays open. */
  async #begin(requests: readonly UnitRequest[], faults: string[], hasSavepoints: boolean): Promise<Units> {
    const units: Units = { done: [], failed: [] };
    this.#connection.control('BEGIN IMMEDIATE');
    for (const request of requests) {
      const entry = thisThread.enter(request.name);
      let unit: Done | UnitOutcome;
      try {
        unit = await this.#runUnit(request, faults, hasSavepoints);
      } finally {
        thisThread.leave(entry);
      }
      if ('request' in unit) units.done.push(unit);
      else units.failed.push(unit);
    }
    return units;
  }

  async #runUnit(request: UnitRequest, faults: string[], hasSavepoint: boolean): Promise<Done | UnitOutcome> {
    if (this.#shutOut.has(request.caller.key)) return goneOutcome(request.id);
    const connection = this.#connection;
    const { place } = this.#shutOut;
    const writes = connection.writes;
    const tx = new UnitTransaction(connection);
    const { call, effects } = contextOf(request, {
      tx,
      accounts: this.#accounts,
      settings: this.#settings,
      node: 0,
      inTurn: () => {},
      shutOut: (accountKey, isOut) => this.#shutOut.set(accountKey, isOut),
    });
    if (hasSavepoint) connection.control('SAVEPOINT unit');
    try {
      const handle = this.#handlers.get(request.name);
      if (!handle) throw new Error(`no unit is named ${request.name}`);
      const result = await this.#settle(handle(call, request.input, request.prepared), request.name);
      const text = result === undefined ? undefined : renderJson(result);
      if (hasSavepoint) connection.control('RELEASE unit');
      return { request, result: text, effects };
    } catch (error) {
      // The error (disk full, I/O) ended the whole transaction, and with it every unit of the batch.
      if (!connection.inTransaction) throw error;
      const hasWritten = connection.writes !== writes;
      if (hasSavepoint) {
        connection.control('ROLLBACK TO unit');
        connection.control('RELEASE unit');
      } else if (hasWritten) throw new HalfDone();
      this.#shutOut.rollBackTo(place);
      if (hasWritten) this.#accounts.clear();
      if (!(error instanceof ServiceError)) faults.push(`${request.name}: ${describe(error)}`);
      return failedOutcome(request.id, error, isOutOfOrder(error));
    } finally {
      tx.end();
      this.#stuck = null;
    }
  }

  /** Numbers above the former reservation may be used when the one of this commit is on disk (LOG-2). */
  #commit(reserved: number): void {
    // Returns when the commit before is on disk, and with it the reservation that it wrote.
    this.#flush?.before();
    if (this.#reserving > 0) this.#sequence.reserved = this.#reserving;
    this.#reserving = 0;
    try {
      this.#connection.control('COMMIT');
    } catch (error) {
      this.#flush?.failed();
      throw error;
    }
    this.#flush?.committed();
    if (this.#flush) this.#reserving = reserved;
    else if (reserved > 0) this.#sequence.reserved = reserved;
  }

  #rollBack(): void {
    if (this.#connection.inTransaction) this.#connection.control('ROLLBACK');
    this.#accounts.clear();
    this.#shutOut.rollBackTo(0);
  }

  /**
   * A unit may await only its transaction, which answers synchronously, so the unit has settled when all microtasks
   * have run. A unit that awaits anything else would block every other writer, and fails (STORE-5).
   */
  #settle(value: unknown, name: string): unknown {
    if (!(value instanceof Promise)) return value;
    this.#guard ??= setImmediate(() => {
      this.#guard = null;
      this.#stuck?.();
    });
    return new Promise((resolve, reject) => {
      this.#stuck = () => reject(awaitsElsewhere(name));
      value.then(resolve, reject);
    });
  }

  /** Gives the batch's events their numbers, in order, and stores them. */
  #number(done: readonly Done[], taken: { granted: number; firstGranted: number; lastSeq: number }) {
    const count = countEvents(done);
    const granted = this.#sequence.wanted;
    let reserved = 0;
    let seq = 0;
    const reservedBefore = Math.max(this.#sequence.reserved, this.#reserving);
    if (count + granted > 0 || reservedBefore - this.#sequence.taken < RESERVE_BLOCK / 2) {
      const first = this.#sequence.take(count + granted);
      Object.assign(taken, { granted, firstGranted: first, lastSeq: first + count + granted - 1 });
      seq = first + granted;
      if (reservedBefore - taken.lastSeq < RESERVE_BLOCK / 2) {
        reserved = taken.lastSeq + RESERVE_BLOCK;
        this.#connection.run(setMeta, 'seq_reserved', String(reserved));
      }
    }
    const outcomes = done.map((unit): UnitOutcome => {
      const outcome = outcomeOf(unit, seq);
      for (const effect of outcome.effects) {
        if (effect.type !== 'event') continue;
        const { kind, scope, ref, params } = effect;
        const { code } = eventKinds[kind];
        this.#connection.run(insertEvent, seq, scope, code, ref, storedParams(kind, params), unit.request.now);
        seq += 1;
      }
      return outcome;
    });
    return { outcomes, reserved };
  }
}

/** Errors of SQLite, not of the unit: busy, locked, no memory, an I/O error, a full disk, a file it cannot open. */
const STORE_ERRORS = new Set([5, 6, 7, 10, 13, 14]);

/** Whether the store caused an error, so that the same unit may succeed later. */
function isOutOfOrder(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  // The primary code is the low byte of an extended one.
  return typeof error.errcode === 'number' && STORE_ERRORS.has(error.errcode & 0xff);
}
