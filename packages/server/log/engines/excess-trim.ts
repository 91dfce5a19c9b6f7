import type { Settings } from '../../core/settings.ts';
import { type FloorsOfScopes, scopesBySeq } from '../../store/log.ts';
import type { Awaitable, Sql } from '../../store/sql.ts';
import type { TrimmedEvent } from '../log-units.ts';

/** Maximum events read in one step; more would delay other units. */
const STEP = 2_000;
/** Pause after a pass that deleted nothing; it ends early if the log grows by this share of its size. */
const REST_MS = 3_600_000;
const REST_SHARE = 0.01;

interface ExcessTrimNeeds {
  read: Sql;
  settings: Pick<Settings, 'eventRetentionCount' | 'eventsKeptPerScope'>;
  /** Number of stored events. */
  count: () => Awaitable<number>;
  floors: FloorsOfScopes;
  /** Deletes events, given in the order of their numbers. */
  trim: (events: readonly TrimmedEvent[]) => Promise<void>;
}

/**
 * Deletes the oldest events of a log that has too many, but keeps the newest `eventsKeptPerScope` of each scope, so
 * that a busy conversation does not push out the events of another (LOG-8). Passes through the log in steps.
 */
export class ExcessTrim {
  readonly #needs: ExcessTrimNeeds;
  /** The last number that this pass has read. */
  #after = 0;
  /**
   * The number of the first event that each scope keeps in this pass. It only rises, so a value that was read earlier
   * in the pass may delete too little, never too much.
   */
  readonly #floors = new Map<number, number>();
  #hasDeleted = false;
  #excess = 0;
  /** Set by a pass that deleted nothing: the next one begins at this time, or when the log has this many events. */
  #rest = { until: 0, count: 0 };

  constructor(needs: ExcessTrimNeeds) {
    this.#needs = needs;
  }

  /** Returns whether another step may find more to delete. */
  async step(now: number): Promise<boolean> {
    const { read, trim } = this.#needs;
    if (this.#excess <= 0) this.#excess = await this.#excessAt(now);
    if (this.#excess <= 0) return false;
    const events = await read.all(scopesBySeq, this.#after, STEP);
    const last = events.at(-1);
    if (!last) {
      this.#endPass(now);
      return false;
    }
    await this.#addFloors(events, last.seq);
    const due = events.filter(({ seq, scope }) => seq < (this.#floors.get(scope) ?? 0)).slice(0, this.#excess);
    if (due.length > 0) {
      await trim(due);
      this.#hasDeleted = true;
    }
    this.#excess -= due.length;
    this.#after = (this.#excess > 0 ? last : due.at(-1))?.seq ?? this.#after;
    return this.#excess > 0;
  }

  /** The number of events above the limit; 0 during a pause. */
  async #excessAt(now: number): Promise<number> {
    const { count, settings } = this.#needs;
    const stored = await count();
    return now < this.#rest.until && stored < this.#rest.count ? 0 : stored - settings.eventRetentionCount;
  }

  #endPass(now: number): void {
    const { eventRetentionCount } = this.#needs.settings;
    const stored = eventRetentionCount + this.#excess;
    this.#rest = this.#hasDeleted ? { until: 0, count: 0 } : { until: now + REST_MS, count: stored * (1 + REST_SHARE) };
    this.#after = 0;
    this.#excess = 0;
    this.#hasDeleted = false;
    this.#floors.clear();
  }

  async #addFloors(events: readonly TrimmedEvent[], through: number): Promise<void> {
    const { read, settings, floors } = this.#needs;
    const met = new Set(events.map(({ scope }) => scope).filter((scope) => !this.#floors.has(scope)));
    if (met.size === 0) return;
    const rows = await read.list(floors, Array.from(met), this.#after, through, settings.eventsKeptPerScope - 1);
    for (const { scope, floor } of rows) this.#floors.set(scope, floor ?? 0);
  }
}
