import { chatsOfMessages } from '../../store/messages.ts';
import { type Clock, pause, systemClock, type Timer } from '../../core/clock.ts';
import { idBytes, idText } from '../../core/ids.ts';
import type { Batch, UnitRequest, UnitRunner } from '../unit-runner.ts';
import { chat, chatAsItIs, household } from '../lock-names.ts';
import { FENCED, wantedOf } from './postgres-append.ts';
import { appendEvents } from '../../store/engines/postgres-batches.ts';
import { type BatchPorts, PostgresBatch } from './postgres-batch.ts';
import { sqlState } from '../../store/engines/postgres-errors.ts';
import { findOut } from './postgres-fate.ts';
import { PostgresLane } from './postgres-lane.ts';
import type { PostgresConnection } from '../../store/engines/postgres.ts';
import { COULD_NOT_COMMIT, describe, lostOutcomes } from '../unit-context.ts';
import { type ChatOfMessage, isLock, type Need } from '../unit-locks.ts';
import { needsOf } from '../unit-needs.ts';
import { type Chosen, type Planned, UnitSchedule } from '../unit-schedule.ts';
import { valueBytes } from './value-bytes.ts';

export interface PostgresUnitsOptions extends BatchPorts {
  connect: () => Promise<PostgresConnection>;
  /** Connections that run batches beside each other. */
  lanes?: number;
  batchSize?: number;
  clock?: Clock;
  /** Units that may wait, what they may hold together, and for how long: the others answer 503. */
  mostWaiting?: number;
  mostWaitingBytes?: number;
  longestWaitMs?: number;
  /** Replaces the locks that the units declare. */
  needs?: (request: UnitRequest) => readonly Need[] | 'all';
  /** Troubles that nobody's answer tells of. */
  onFault?: (error: unknown) => void;
}

/** Many thousand messages of the usual size, or a few hundred of the largest calls. */
const MOST_WAITING_BYTES = 128 * 1_048_576;
/** So often a batch is run that waited for another one which waited for it. */
const TRIES = 6;
const BACKOFF_MS = 5;
const SWEEP_MS = 250;
/** Empty batches follow each other no faster: what is said meanwhile has its numbers with the next one. */
const SPACING_MS = 4;
/** Numbers that could not be had for transient events are asked for again this much later. */
const NUDGE_AGAIN_MS = 100;

interface LookUp {
  unit: Planned;
  wanted: readonly ChatOfMessage[];
}

/** Runs units on PostgreSQL, some batches beside each other, each in one transaction (STORE-2, CLUSTER-31). */
export class PostgresUnits implements UnitRunner {
  onBatch: (batch: Batch) => void = () => {};
  onFailure: (error: Error) => void = () => {};
  readonly #options: PostgresUnitsOptions;
  readonly #clock: Clock;
  readonly #schedule = new UnitSchedule();
  readonly #lanes: readonly PostgresLane[];
  /** For what need not wait behind a batch: empty batches, and look-ups. */
  readonly #side: PostgresLane;
  #lookUps: LookUp[] = [];
  #isLookingUp = false;
  #isNudged = false;
  /** When the last empty batch began. */
  #numberedAt = Number.NEGATIVE_INFINITY;
  #spacing: Timer | null = null;
  #isDue = false;
  readonly #closing = new AbortController();
  #sweep: Timer | null = null;
  #onIdle: () => void = () => {};

  constructor(options: PostgresUnitsOptions) {
    this.#options = options;
    const { connect, lanes = 4, clock = systemClock, onFault = () => {} } = options;
    this.#clock = clock;
    const lane = (number: number, isDurable: boolean) =>
      new PostgresLane({ connect, number, isDurable, clock, onUp: () => this.#later(), onFault });
    this.#lanes = Array.from({ length: lanes }, (_, at) => lane(at, true));
    this.#side = lane(lanes, false);
  }

  post(requests: readonly UnitRequest[]): void {
    const { mostWaiting = 10_000, mostWaitingBytes = MOST_WAITING_BYTES, handlers } = this.#options;
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
      const unit: Planned = { request, locks, isReady: wanted.length === 0, since: this.#clock.now(), bytes };
      this.#schedule.add(unit);
      if (wanted.length > 0) this.#lookUps.push({ unit, wanted });
    }
    if (refused.length > 0) setImmediate(() => this.#refuse(refused, 'the store has too much to do; try again'));
    this.#later();
  }

  /** Transient events wait for numbers: unless a batch is about to take them along, an empty one does. */
  nudge(): void {
    this.#isNudged = true;
    this.#later();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      this.#later();
    });
    this.#sweep?.cancel();
    this.#spacing?.cancel();
    await Promise.all([...this.#lanes, this.#side].map((lane) => lane.close()));
  }

  /** What one turn of the loop brought is looked at together. */
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
    for (const lane of this.#lanes) {
      if (!lane.isFree) continue;
      const chosen = this.#schedule.take(batchSize);
      if (!chosen) break;
      void this.#runOn(lane, chosen);
    }
    if (this.#isNudged && !this.#lanes.some(({ batch }) => batch?.isRunning)) this.#numberInTime();
    if (this.#schedule.size > 0) this.#sweep ??= this.#clock.setTimer(() => this.#giveUp(), SWEEP_MS);
    else if (!this.#side.isBusy && this.#lanes.every(({ isBusy }) => !isBusy)) this.#onIdle();
  }

  async #runOn(lane: PostgresLane, chosen: Chosen): Promise<void> {
    lane.isBusy = true;
    const requests = chosen.units.map(({ request }) => request);
    try {
      this.onBatch(await this.#batch(lane, chosen, requests));
    } catch (error) {
      this.onFailure(error instanceof Error ? error : new Error(String(error)));
    }
    lane.isBusy = false;
    lane.batch = null;
    this.#schedule.release(chosen);
    this.#later();
  }

  /** Runs a batch until something has come of it. */
  async #batch(lane: PostgresLane, chosen: Chosen, requests: readonly UnitRequest[]): Promise<Batch> {
    let how: 'together' | 'unit by unit' = 'together';
    for (let tries = 1; ; tries += 1) {
      const { connection, memory } = lane;
      if (!connection) return lost(requests, new Error('the connection to PostgreSQL is lost'));
      lane.batch = new PostgresBatch({ connection, memory, number: lane.number }, chosen, this.#options);
      const attempt = await lane.batch.attempt(how);
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
            // Without its last number nobody knows those of the transient events: they stay unused.
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
    const waitMs = this.#closing.signal.aborted ? 0 : this.#numberedAt + SPACING_MS - this.#clock.now();
    if (waitMs <= 0) return void this.#number();
    this.#spacing ??= this.#clock.setTimer(
      () => {
        this.#spacing = null;
        this.#later();
      },
      Math.min(waitMs, SPACING_MS),
    ); // Clocks are set back now and then.
    return undefined;
  }

  /** An empty batch is one statement: nobody waits for what it stores, so it does not wait for the disk. */
  async #number(): Promise<void> {
    const { grants, nodeKey } = this.#options;
    const { connection } = this.#side;
    if (!connection || this.#side.isBusy) return;
    this.#isNudged = false;
    const granted = grants.take();
    if (granted === 0) return;
    this.#side.isBusy = true;
    this.#numberedAt = this.#clock.now();
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
        // One that is not there needs no lock: the unit says so.
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
    const old = this.#schedule.giveUp(this.#clock.now() - (this.#options.longestWaitMs ?? 10_000));
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

/** Nothing of the batch is stored: every unit of it answers 503. */
const lost = (requests: readonly UnitRequest[], error: unknown): Batch => ({
  outcomes: lostOutcomes(requests, COULD_NOT_COMMIT),
  granted: 0,
  firstGranted: 0,
  lastSeq: 0,
  faults: [describe(error)],
});
