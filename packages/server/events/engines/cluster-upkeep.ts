import type { LogUpkeep, RunUnit } from '../../engines/engine.ts';
import type { Settings } from '../../settings.ts';
import { onPostgres } from '../../store/engines/postgres-log.ts';
import type { Sql } from '../../store/sql.ts';

const TRIM_MS = 60_000;
/** Events forgotten at once: few enough that nobody waits for it. */
const TRIM_STEP = 5_000;

/** The last of the next ones to be forgotten: those that are too many, or too old. */
const lastDue = onPostgres<{ seq: number | null }, [count: number, before: number, limit: number]>(
  `WITH bound AS (SELECT coalesce((SELECT seq FROM events ORDER BY seq DESC OFFSET $1 LIMIT 1), 0) AS seq),
     oldest AS (SELECT seq, created_at FROM events ORDER BY seq LIMIT $3)
   SELECT max(o.seq) AS seq FROM oldest o, bound b WHERE o.seq <= b.seq OR o.created_at < $2`,
);

interface Ports {
  read: Sql;
  settings: Settings;
  run: RunUnit;
  isLead: () => boolean;
}

/** Forgets what is old; one of the nodes does it (LOG-8). */
export class ClusterUpkeep implements LogUpkeep {
  readonly #ports: Ports;
  #trimAt = 0;
  #isTrimming = false;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async tend(now: number): Promise<void> {
    const { read, settings, isLead } = this.#ports;
    if (now < this.#trimAt || this.#isTrimming || !isLead()) return;
    this.#isTrimming = true;
    this.#trimAt = now + TRIM_MS;
    try {
      const { eventRetentionCount, eventRetentionMs } = settings;
      const last = (await read.get(lastDue, eventRetentionCount, now - eventRetentionMs, TRIM_STEP))?.seq ?? null;
      if (last === null) return;
      await this.trim(last);
      // There may be more.
      this.#trimAt = now;
    } finally {
      this.#isTrimming = false;
    }
  }

  /** PostgreSQL's index is always whole. */
  async index(): Promise<void> {}

  async trim(through: number): Promise<void> {
    await this.#ports.run('trimLog', { through });
  }
}
