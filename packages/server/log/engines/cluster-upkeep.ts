import { dateBefore } from '@parley/protocol/dates';
import type { UnitCallers } from '../../commits/unit-callers.ts';
import type { Clock } from '../../core/clock.ts';
import type { Settings } from '../../core/settings.ts';
import { lastEventBefore, countEvents } from '../../store/engines/postgres-log.ts';
import { floorsByEvents } from '../../store/log.ts';
import type { Sql } from '../../store/sql.ts';
import type { logUnits } from '../log-units.ts';
import type { LogUpkeep } from '../log-upkeep.ts';
import { ExcessTrim } from './excess-trim.ts';

const TRIM_MS = 60_000;
/** Maximum events deleted at once; more would delay other units. */
const TRIM_STEP = 5_000;

interface ClusterUpkeepNeeds {
  read: Sql;
  settings: Settings;
  units: UnitCallers<typeof logUnits>;
  isLead: () => boolean;
  clock: Pick<Clock, 'now' | 'monotonic'>;
}

/** Deletes old events; only one of the nodes does so (LOG-8). */
export class ClusterUpkeep implements LogUpkeep {
  readonly #needs: ClusterUpkeepNeeds;
  #trimAt = 0;
  #isTrimming = false;
  readonly #excess: ExcessTrim;

  constructor(needs: ClusterUpkeepNeeds) {
    this.#needs = needs;
    const { read, settings, units } = needs;
    this.#excess = new ExcessTrim({
      read,
      settings,
      floors: floorsByEvents,
      count: async () => (await read.get(countEvents))?.count ?? 0,
      trim: units.trimScopes,
    });
  }

  async tend(): Promise<void> {
    const { read, settings, isLead, clock } = this.#needs;
    const now = clock.monotonic();
    if (now < this.#trimAt || this.#isTrimming || !isLead()) return;
    this.#isTrimming = true;
    this.#trimAt = now + TRIM_MS;
    try {
      const last =
        (await read.get(lastEventBefore, dateBefore(clock.now(), settings.eventRetentionMs), TRIM_STEP))?.seq ?? null;
      if (last !== null) await this.trim(last);
      const isMore = await this.#excess.step(now);
      if (last !== null || isMore) this.#trimAt = now;
    } finally {
      this.#isTrimming = false;
    }
  }

  /** PostgreSQL maintains the index itself. */
  async index(): Promise<void> {}

  async trim(through: number): Promise<void> {
    await this.#needs.units.trimLog({ through });
  }
}
