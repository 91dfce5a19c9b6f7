import { dateBefore } from '@parley/protocol/dates';
import type { UnitCallers } from '../../commits/unit-callers.ts';
import type { Clock } from '../../core/clock.ts';
import type { Settings } from '../../core/settings.ts';
import { floorsByIndex, getMeta, oldestEvents } from '../../store/log.ts';
import type { Sql } from '../../store/sql.ts';
import type { logUnits } from '../log-units.ts';
import type { LogUpkeep } from '../log-upkeep.ts';
import { type EmbeddedLog, INDEX_BLOCK } from './embedded-log.ts';
import { ExcessTrim } from './excess-trim.ts';

const TRIM_MS = 60_000;
/** Maximum events deleted at once; more would delay other units. */
const TRIM_STEP = 5_000;

interface EmbeddedUpkeepNeeds {
  read: Sql;
  log: EmbeddedLog;
  settings: Settings;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  units: UnitCallers<typeof logUnits>;
}

/** Fills the index by scope in sorted blocks, and deletes old events (LOG-8, LOG-9). */
export class EmbeddedUpkeep implements LogUpkeep {
  readonly #needs: EmbeddedUpkeepNeeds;
  #isIndexing = false;
  #isTrimming = false;
  #trimAt = 0;
  readonly #excess: ExcessTrim;

  constructor(needs: EmbeddedUpkeepNeeds) {
    this.#needs = needs;
    const { read, log, settings, units } = needs;
    this.#excess = new ExcessTrim({
      read,
      settings,
      floors: floorsByIndex,
      // Events are counted, because numbers have gaps: restarts skip many, and transient events use most of them.
      count: async () => Number((await read.get(getMeta, 'events_indexed'))?.value ?? 0) + log.unindexed.count,
      async trim(events) {
        // Raised before the deletion, as in `trim`.
        log.keptFrom = Math.max(log.keptFrom, (events.at(-1)?.seq ?? 0) + 1);
        await units.trimScopes(events);
      },
    });
  }

  async tend(): Promise<void> {
    const { log, clock } = this.#needs;
    const now = clock.monotonic();
    const due: Promise<void>[] = [];
    if (log.unindexed.count >= INDEX_BLOCK && !this.#isIndexing) due.push(this.index());
    if (now >= this.#trimAt && !this.#isTrimming) {
      this.#trimAt = now + TRIM_MS;
      due.push(this.#trimOld(now));
    }
    // Transient events wait for numbers while no batch runs: an empty unit brings the numbers.
    if (log.starved) due.push(this.#fill(log.indexedThrough));
    await Promise.all(due);
  }

  async index(): Promise<void> {
    this.#isIndexing = true;
    try {
      await this.#fill(this.#needs.log.unindexed.through);
    } finally {
      this.#isIndexing = false;
    }
  }

  async trim(through: number): Promise<void> {
    const { log, units } = this.#needs;
    // Before the deletion, so that a reader never mistakes deleted events for events that never existed.
    log.keptFrom = Math.max(log.keptFrom, through + 1);
    await units.trimLog({ through });
  }

  async #fill(through: number): Promise<void> {
    const { log, units } = this.#needs;
    await units.indexEvents({ after: log.indexedThrough, through });
    log.indexed(through);
  }

  async #trimOld(now: number): Promise<void> {
    this.#isTrimming = true;
    try {
      const last = await this.#lastDue();
      if (last !== undefined) await this.trim(last);
      const isMore = await this.#excess.step(now);
      if (last !== undefined || isMore) this.#trimAt = now;
    } finally {
      this.#isTrimming = false;
    }
  }

  /** The last number of the events that are too old, or undefined. */
  async #lastDue(): Promise<number | undefined> {
    const { read, log, settings, clock } = this.#needs;
    const before = dateBefore(clock.now(), settings.eventRetentionMs);
    const isDue = ({ seq, created_at }: { seq: number; created_at: number }): boolean =>
      seq <= log.indexedThrough && created_at < before;
    if (!(await read.all(oldestEvents, 1)).some(isDue)) return undefined;
    const oldest = await read.all(oldestEvents, TRIM_STEP);
    const left = oldest.findIndex((event) => !isDue(event));
    return oldest.at(left < 0 ? -1 : left - 1)?.seq;
  }
}
