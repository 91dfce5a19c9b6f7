import { chatsOfMessages } from '../../store/messages.ts';
import { type Clock, pause, systemClock, type Timer } from '../../core/clock.ts';
import { idBytes, idText } from '../../core/ids.ts';
import type { Batch, UnitRequest, UnitRunner } from '../unit-runner.ts';
import { chat, chatAsItIs, household } from '../lock-names.ts';
import { FENCED, wantedOf } from './postgres-append.ts';
import { appendEvents } from '../../store/engines/postgres-batches.ts';
import { type BatchNeeds, PostgresBatch } from './postgres-batch.ts';
import { sqlState } from '../../store/engines/postgres-errors.ts';
import { findOut } from './postgres-fate.ts';
import { PostgresWriter } from './postgres-writer.ts';
import type { PostgresConnection } from '../../store/engines/postgres.ts';
import { COULD_NOT_COMMIT, describe, lostOutcomes } from '../unit-context.ts';
import { type ChatOfMessage, isLock, type Need } from '../unit-locks.ts';
import { needsOf } from '../unit-needs.ts';
import { type Chosen, type Planned, UnitSchedule } from '../unit-schedule.ts';
import { valueBytes } from './value-bytes.ts';

export interface PostgresUnitsOptions extends BatchNeeds {
  connect: () => Promise<PostgresConnection>;
  /** Number of writer connections: batches that run at the same time. */
  writers?: number;
  batchSize?: number;
  clock?: Clock;
  /**
   * Maximum number of waiting units, of their bytes, and of a unit's waiting time; above any of them a unit answers
   * 503.
   */
  mostWaiting?: number;
  mostWaitingBytes?: number;
  longestWaitMs?: number;
  /** Replaces the locks that the units declare. */
  needs?: (request: UnitRequest) => readonly Need[] | 'all';
  /** Receives errors that are not returned to any caller. */
  onFault?: (error: unknown) => void;
}

/** Maximum bytes of waiting units: many thousand ordinary messages, or a few hundred of the largest calls. */
const MAX_WAITING_BYTES = 128 * 1_048_576;
/** Maximum attempts to run a batch that deadlocks with another. */
const TRIES = 6;
const BACKOFF_MS = 5;
const SWEEP_MS = 250;
/** Minimum time between empty batches: transient events that arrive in between get their numbers together. */
const SPACING_MS = 4;
/** Delay before numbers for transient events are requested again after a failure. */
const NUDGE_AGAIN_MS = 100;

interface LookUp {
  unit: Planned;
  wanted: readonly ChatOfMessage[];
}

/** Runs units on PostgreSQL: several batches at the same time, each in one transaction (STORE-2, CLUSTER-31). */
export class PostgresUnits implements UnitRunner {
  onBatch: (batch: Batch) => void = () => {};
  onFailure: (error: Error) => void = () => {};
  readonly #options: PostgresUnitsOptions;
  readonly #clock: Clock;
  readonly #schedule = new UnitSchedule();
  readonly #writers: readonly PostgresWriter[];
  /** A connection for empty batches and look-ups, which need not wait for a batch. */
  readonly #side: PostgresWriter;
  #lookUps: LookUp[] = [];
  #isLookingUp = false;
  #isNudged = false;
  /** When the last empty batch began. */
  #numberedAt = Number.NEGATIVE_INFINITY;
  #spacing: Timer | null = null;
  #isDue = false;
  readonly #closing = new AbortController();
  #closed: Promise<void> | null = null;
  #sweep: Timer | null = null;
  #onIdle: () => void = () => {};

  constructor(options: PostgresUnitsOptions) {
    this.#options = options;
    const { connect, writers = 4, clock = systemClock, onFault = () => {} } = options;
    this.#clock = clock;
    const writer = (number: number, isDurable: boolean) =>
      new PostgresWriter({ connect, number, isDurable, clock, onUp: () => this.#later(), onFault });
    this.#writers = Array.from({ length: writers }, (_, at) => writer(at, true));
    this.#side = writer(writers, false);
  }

  /** Whether a connection to a server that takes writes is open. */
  get canWrite(): boolean {
    return this.#writers.some(({ connection }) => connection !== null);
  }

  post(requests: readonly UnitRequest[]): void {
    const { mostWaiting = 10_000, mostWaitingBytes = MAX_WAITING_BYTES, handlers } = this.#options;
    const { needs: needsOfUnit = (request) => needsOf(handlers.get(request.name), request) } = this.#options;
    const refused: UnitRequest[] = [];
    for (const request of requests) {
      const isFull = this.#schedule.size >= mostWaiting || this.#schedule.bytes >= mostWaitingBytes;
      if (this.#closing.signal.aborted || isFull) {
        refused.push(request);
        continue;
      }
      const needs = needsOfUnit(request);
      const wanted = needs === 'all' ? [] : needs.filter((need): need is ChatOfMessage => !isLock(need));
      const locks = needs === 'all' ? needs : needs.filter(isLock);
      const bytes = valueBytes(request.input) + valueBytes(request.prepared);
      const unit: Planned = { request, locks, isReady: wanted.length === 0, since: this.#clock.monotonic(), bytes };
      this.#schedule.add(unit);
      if (wanted.length > 0) this.#lookUps.push({ unit, wanted });
    }
    if (refused.length > 0) setImmediate(() => this.#refuse(refused, 'the store has too much to do; try again'));
    this.#later();
  }

  /** Gets numbers for waiting transient events: with the next batch, or with an empty one if none is running. */
  nudge(): void {
    this.#isNudged = true;
    this.#later();
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      this.#later();
    });
    this.#sweep?.cancel();
    this.#spacing?.cancel();
    await Promise.all([...this.#writers, this.#side].map((writer) => writer.close()));
  }

  /** Schedules once per tick, so that all requests of a tick are scheduled together. */
  #later(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#goOn();
    });
  }

  #goOn(): void {
    if (this.#lookUps.length > 0) void this.#lookUp();
    const { batchSize = 64 } = this.#options;
    for (const writer of this.#writers) {
      if (!writer.isFree) continue;
      const chosen = this.#schedule.take(batchSize);
      if (!chosen) break;
      void this.#runOn(writer, chosen);
    }
    if (this.#isNudged && !this.#writers.some(({ batch }) => batch?.isRunning)) this.#numberInTime();
    if (this.#schedule.size > 0) this.#sweep ??= this.#clock.setTimer(() => this.#giveUp(), SWEEP_MS);
    else if (!this.#side.isBusy && this.#writers.every(({ isBusy }) => !isBusy)) this.#onIdle();
  }

  async #runOn(writer: PostgresWriter, chosen: Chosen): Promise<void> {
    writer.isBusy = true;
    const requests = chosen.units.map(({ request }) => request);
    try {
      this.onBatch(await this.#batch(writer, chosen, requests));
    } catch (error) {
      this.onFailure(error instanceof Error ? error : new Error(String(error)));
    }
    writer.isBusy = false;
    writer.batch = null;
    this.#schedule.release(chosen);
    this.#later();
  }

  /** Runs a batch until it is committed or has failed. */
  async #batch(writer: PostgresWriter, chosen: Chosen, requests: readonly UnitRequest[]): Promise<Batch> {
    let how: 'together' | 'unit by unit' = 'together';
    for (let tries = 1; ; tries += 1) {
      const { connection, memory } = writer;
      if (!connection) return lost(requests, new Error('the connection to PostgreSQL is lost'));
      writer.batch = new PostgresBatch({ connection, memory, number: writer.number }, chosen, this.#options);
      const attempt = await writer.batch.attempt(how);
      switch (attempt.end) {
        case 'committed':
          return attempt.batch;
        case 'unit by unit':
          how = attempt.end;
          break;
        case 'again':
          if (tries === TRIES) return lost(requests, attempt.error);
          await pause(this.#clock, BACKOFF_MS * 2 ** tries, new AbortController().signal);
          break;
        case 'unknown': {
          const { connect } = this.#options;
          const fate = await findOut(attempt, { connect, clock: this.#clock, signal: this.#closing.signal });
          if (typeof fate === 'object') {
            // The batch's last number is unknown, and with it the numbers for transient events, which stay unused.
            if (fate.last === null) attempt.lose();
            return attempt.finish(fate.last);
          }
          attempt.lose();
          return lost(requests, attempt.error);
        }
        case 'fenced':
          this.#fail(attempt.error);
          return lost(requests, attempt.error);
        case 'refused':
          return lost(requests, attempt.error);
        default:
          return attempt satisfies never;
      }
    }
  }

  #numberInTime(): void {
    const waitMs = this.#closing.signal.aborted ? 0 : this.#numberedAt + SPACING_MS - this.#clock.monotonic();
    if (waitMs <= 0) return void this.#number();
    this.#spacing ??= this.#clock.setTimer(
      () => {
        this.#spacing = null;
        this.#later();
      },
      Math.min(waitMs, SPACING_MS),
    ); // limited, because the clock may be set back
    return undefined;
  }

  /** Runs an empty batch, one statement. It does not wait for the disk, because no caller needs it to be durable. */
  async #number(): Promise<void> {
    const { grants, nodeKey } = this.#options;
    const { connection } = this.#side;
    if (!connection || this.#side.isBusy) return;
    this.#isNudged = false;
    const granted = grants.take();
    if (granted === 0) return;
    this.#side.isBusy = true;
    this.#numberedAt = this.#clock.monotonic();
    let lastSeq = 0;
    try {
      lastSeq = (await connection.get(appendEvents, nodeKey(), granted, 0, ...wantedOf([]).lists))?.last ?? 0;
    } catch (error) {
      if (sqlState(error) === FENCED) this.#fail(error);
      grants.giveBack(granted);
      await pause(this.#clock, NUDGE_AGAIN_MS, new AbortController().signal);
      this.#isNudged = true;
    }
    if (lastSeq > 0) this.onBatch({ outcomes: [], granted, firstGranted: lastSeq - granted + 1, lastSeq, faults: [] });
    this.#side.isBusy = false;
    this.#later();
  }

  /** Finds the conversations of messages; units whose look-up fails wait for the next one. */
  async #lookUp(): Promise<void> {
    const { connection } = this.#side;
    if (!connection || this.#isLookingUp) return;
    const lookUps = this.#lookUps;
    this.#lookUps = [];
    this.#isLookingUp = true;
    try {
      const ids = new Set(lookUps.flatMap(({ wanted }) => wanted.map(({ messageId }) => messageId.toLowerCase())));
      const rows = await connection.list(chatsOfMessages, [...ids].map(idBytes));
      const chats = new Map(rows.map((row) => [idText(row.id), row]));
      for (const { unit, wanted } of lookUps) {
        if (unit.locks === 'all') continue;
        // A message that does not exist needs no lock: the unit answers 404.
        const found = wanted.flatMap(({ messageId, isShared, withSender }) => {
          const row = chats.get(messageId.toLowerCase());
          if (!row) return [];
          const id = idText(row.chat_id);
          return [isShared ? chatAsItIs(id) : chat(id), ...(withSender ? [household(row.sender)] : [])];
        });
        unit.locks = [...unit.locks, ...found];
        unit.isReady = true;
      }
    } catch (error) {
      this.#options.onFault?.(error);
      this.#lookUps.unshift(...lookUps);
    }
    this.#isLookingUp = false;
    this.#later();
  }

  #giveUp(): void {
    this.#sweep = null;
    const old = this.#schedule.giveUp(this.#clock.monotonic() - (this.#options.longestWaitMs ?? 10_000));
    const gone = new Set(old);
    this.#lookUps = this.#lookUps.filter(({ unit }) => !gone.has(unit));
    const requests = old.map(({ request }) => request);
    if (old.length > 0) this.#refuse(requests, 'the store does not answer; try again');
    this.#later();
  }

  #refuse(requests: readonly UnitRequest[], why: string): void {
    this.onBatch({ outcomes: lostOutcomes(requests, why), granted: 0, firstGranted: 0, lastSeq: 0, faults: [] });
  }

  #fail(error: unknown): void {
    this.onFailure(error instanceof Error ? error : new Error(String(error)));
  }
}

/** The outcome of a batch that stored nothing: every unit of it answers 503. */
const lost = (requests: readonly UnitRequest[], error: unknown): Batch => ({
  outcomes: lostOutcomes(requests, COULD_NOT_COMMIT),
  granted: 0,
  firstGranted: 0,
  lastSeq: 0,
  faults: [describe(error)],
});
