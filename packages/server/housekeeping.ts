import { type EndOfReply, revoked } from './agents/turns.ts';
import type { Timer } from './clock.ts';
import { INDEX_BLOCK } from './events/engines/embedded.ts';
import type { Service } from './service.ts';
import { getMeta, oldestEvents } from './store/log.ts';
import { chatToEmpty } from './store/people.ts';
import { endsOfChanges, newestMessageKey } from './store/search.ts';
import type { InternalUnits } from './units/index.ts';

const PACE_MS = 1_000;
const TRIM_MS = 60_000;
/** New messages that the search may look through one by one; with more, they go into its index. */
const SEARCH_TAIL = 256;
const FORGET_SESSIONS_MS = 3_600_000;
const FORGET_INVITES_MS = 3_600_000;
/** Events forgotten at once: few enough that nobody waits for it. */
const TRIM_STEP = 5_000;
/** A daemon's stream without a socket or a call of its bot for this long has failed (STREAM-7). */
const LEASE_MS = 60_000;

const lapsed: EndOfReply = {
  status: 'failed',
  finishReason: 'lease',
  alert: 'The bot that was replying has gone away.',
};

type Run = <Name extends keyof InternalUnits>(
  name: Name,
  input: Parameters<InternalUnits[Name]>[1],
) => Promise<unknown>;

/** What the service does by itself, about once a second. */
export class Housekeeping {
  readonly #service: Service;
  readonly #run: Run;
  readonly #touched = new Set<number>();
  #timer: Timer | null = null;
  #isIndexing = false;
  #searched = { newest: 0, change: 0 };
  #isTendingSearch = false;
  #isEmptying = false;
  #trimAt = 0;
  #forgetSessionsAt = 0;
  #forgetInvitesAt = 0;

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
    this.#service.files.tend(now);
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
    this.#emptyChats(report);
    this.#tendSearch();
    if (now >= this.#trimAt) {
      this.#trimAt = now + TRIM_MS;
      this.#trim(now).catch(report);
    }
    if (now >= this.#forgetSessionsAt) {
      this.#forgetSessionsAt = now + FORGET_SESSIONS_MS;
      this.#run('forgetSessions', undefined).catch(report);
    }
    if (now >= this.#forgetInvitesAt) {
      this.#forgetInvitesAt = now + FORGET_INVITES_MS;
      this.#run('forgetInvites', undefined).catch(report);
    }
    // Transient events that wait for numbers while the store has nothing to do: an empty unit brings them.
    if (log.starved) this.#run('indexEvents', { after: log.indexedThrough, through: log.indexedThrough }).catch(report);
    this.start();
  }

  /** Deletes what people have left behind who are gone, a little at a time (PEOPLE-14). */
  #emptyChats(report: (error: unknown) => void): void {
    if (this.#isEmptying) return;
    const goOn = async (): Promise<void> => {
      for (;;) {
        const chat = this.#service.isDraining ? undefined : this.#service.read.get(chatToEmpty);
        if (!chat) return;
        await this.#run('emptyChat', { chatKey: chat.chat_key });
      }
    };
    this.#isEmptying = true;
    goOn()
      .catch(report)
      .finally(() => (this.#isEmptying = false));
  }

  /** Lets the search index take up what is new, and what has changed (SEARCH-11). */
  #tendSearch(): void {
    if (this.#isTendingSearch) return;
    const { read, search } = this.#service;
    const newest = read.get(newestMessageKey)?.key ?? 0;
    const change = read.get(endsOfChanges)?.last ?? 0;
    if (newest - this.#searched.newest < SEARCH_TAIL && change === this.#searched.change) return;
    this.#isTendingSearch = true;
    search
      .tend()
      // What goes wrong with it is told where it goes wrong.
      .then(
        () => (this.#searched = { newest, change }),
        () => {},
      )
      .finally(() => (this.#isTendingSearch = false));
  }

  async #trim(now: number): Promise<void> {
    const { read, log, settings } = this.#service;
    // Counted, not told from the numbers: a restart skips many of those, and deltas and typing take most of them.
    const kept = Number(read.get(getMeta, 'events_indexed')?.value ?? 0) + log.unindexed.count;
    const tooMany = kept - settings.eventRetentionCount;
    const isDue = ({ seq, created_at }: { seq: number; created_at: number }, at: number): boolean =>
      seq <= log.indexedThrough && (at < tooMany || created_at < now - settings.eventRetentionMs);
    if (!read.all(oldestEvents, 1).some(isDue)) return;
    const oldest = read.all(oldestEvents, TRIM_STEP);
    const left = oldest.findIndex((event, at) => !isDue(event, at));
    const last = oldest.at(left < 0 ? -1 : left - 1);
    if (!last) return;
    // Before they are gone, so that nobody is told that there were none.
    log.keptFrom = last.seq + 1;
    await this.#run('trimLog', { through: last.seq });
    this.#trimAt = now;
  }

  #endLapsedStreams(now: number): void {
    const { streams, sockets, logger } = this.#service;
    for (const stream of streams.all()) {
      if (stream.info.runner !== 'daemon' || stream.closing) continue;
      if (sockets.isLive(stream.info.agentKey)) stream.lastCallAt = now;
      if (!stream.isRevoked && now - stream.lastCallAt < LEASE_MS) continue;
      this.#service
        .closeStream(stream, stream.isRevoked ? revoked : lapsed)
        .catch((error: unknown) => logger.error({ err: error }, 'a stream could not be ended'));
    }
  }
}
