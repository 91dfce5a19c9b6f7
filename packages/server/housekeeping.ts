import type { Timer } from './clock.ts';
import { INDEX_BLOCK } from './events/engines/embedded.ts';
import type { Service } from './service.ts';
import { firstAndLastSeq, seqToTrim } from './store/log.ts';
import type { InternalUnits } from './units/index.ts';

const PACE_MS = 1_000;
const TRIM_MS = 60_000;
/** Events forgotten at once: few enough that nobody waits for it. */
const TRIM_STEP = 5_000;
/** A daemon's stream without a socket or a call of its bot for this long has failed (STREAM-7). */
const LEASE_MS = 60_000;

type Run = <Name extends keyof InternalUnits>(name: Name, input: Parameters<InternalUnits[Name]>[1]) => Promise<unknown>;

/** What the service does by itself, about once a second. */
export class Housekeeping {
  readonly #service: Service;
  readonly #run: Run;
  readonly #touched = new Set<number>();
  #timer: Timer | null = null;
  #isIndexing = false;
  #trimAt = 0;

  constructor(service: Service, run: Run) {
    this.#service = service;
    this.#run = run;
  }

  start(): void {
    this.#timer = this.#service.clock.setTimer(() => this.#tick(), PACE_MS);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** Notes a session as used; written down with the others within a second. */
  touch(sessionKey: number): void {
    this.#touched.add(sessionKey);
  }

  #tick(): void {
    const { streams, log, logger, clock } = this.#service;
    const now = clock.now();
    const report = (error: unknown) => logger.error({ err: error }, 'housekeeping failed');
    void streams.checkpointAll();
    this.#endLapsedStreams(now);
    if (this.#touched.size > 0) {
      this.#run('touchSessions', [...this.#touched]).catch(report);
      this.#touched.clear();
    }
    if (log.unindexed.count >= INDEX_BLOCK && !this.#isIndexing) {
      this.#isIndexing = true;
      const { through } = log.unindexed;
      this.#run('indexEvents', { after: log.indexedThrough, through })
        .then(() => log.indexed(through), report)
        .finally(() => (this.#isIndexing = false));
    }
    if (now >= this.#trimAt) {
      this.#trimAt = now + TRIM_MS;
      this.#trim(now).catch(report);
    }
    // Transient events that wait for numbers while the store has nothing to do: an empty unit brings them.
    if (log.starved) this.#run('indexEvents', { after: log.indexedThrough, through: log.indexedThrough }).catch(report);
    this.start();
  }

  async #trim(now: number): Promise<void> {
    const { read, log, settings } = this.#service;
    const { first, last } = read.get(firstAndLastSeq) ?? { first: null, last: null };
    if (first === null || last === null) return;
    const byAge = read.get(seqToTrim, now - settings.eventRetentionMs)?.seq ?? 0;
    const through = Math.min(Math.max(byAge, last - settings.eventRetentionCount), log.indexedThrough, first + TRIM_STEP);
    if (through < first) return;
    await this.#run('trimLog', { through });
    log.keptFrom = through + 1;
    this.#trimAt = now;
  }

  #endLapsedStreams(now: number): void {
    const { streams, sockets, logger } = this.#service;
    for (const stream of streams.all()) {
      if (stream.info.runner !== 'daemon' || stream.closing) continue;
      if (sockets.isLive(stream.info.agentKey)) stream.lastCallAt = now;
      else if (now - stream.lastCallAt >= LEASE_MS)
        this.#service
          .closeStream(stream, { status: 'failed', finishReason: 'lease', alert: 'The bot that was replying has gone away.' })
          .catch((error: unknown) => logger.error({ err: error }, 'a lapsed stream could not be ended'));
    }
  }
}
