import type { LiveStream } from '../agents/live-stream.ts';
import { type EndOfReply, revoked } from '../agents/turn-runner.ts';
import type { Timer } from '../core/clock.ts';
import type { UnitCallers } from '../commits/unit-callers.ts';
import type { InternalUnits } from '../units/index.ts';
import type { Service } from './service.ts';
import { chatToEmpty } from '../store/people.ts';
import { endsOfChanges, newestMessageKey } from '../store/search.ts';

const PACE_MS = 1_000;
/** New messages that the search may look through one by one; with more, they go into its index. */
const SEARCH_TAIL = 256;
const FORGET_SESSIONS_MS = 3_600_000;
const FORGET_INVITES_MS = 3_600_000;

const lapsed: EndOfReply = {
  status: 'failed',
  finishReason: 'lease',
  alert: 'The bot that was replying has gone away.',
};

/** What the service does by itself, about once a second. */
export class Housekeeping {
  readonly #service: Service;
  readonly #units: UnitCallers<InternalUnits>;
  readonly #touched = new Set<number>();
  #timer: Timer | null = null;
  /** What is under way: none of it overlaps itself, however long it takes. */
  readonly #underWay = new Set<string>();
  #isStopped = false;
  #searched = { newest: 0, change: 0 };
  #forgetSessionsAt = 0;
  #forgetInvitesAt = 0;

  constructor(service: Service, units: UnitCallers<InternalUnits>) {
    this.#service = service;
    this.#units = units;
  }

  readonly #report = (error: unknown): void => {
    // What is cut off by the end is no fault.
    if (!this.#isStopped) this.#service.logger.error({ err: error }, 'housekeeping failed');
  };

  start(): void {
    this.#timer = this.#service.clock.setTimer(() => this.#tick(), PACE_MS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** Notes a session as used; written down with the others within a second. */
  touch(sessionKey: number): void {
    this.#touched.add(sessionKey);
  }

  #tick(): void {
    const { streams, upkeep, clock } = this.#service;
    const now = clock.now();
    void streams.checkpoints.storeAll(streams.all());
    this.#endStreams();
    this.#begin('disk', () => this.#service.disk.look());
    this.#begin('files', () => this.#service.files.tend(now));
    if (this.#touched.size > 0) {
      const touched = [...this.#touched];
      this.#touched.clear();
      this.#units.touchSessions(touched).catch(this.#report);
    }
    upkeep.tend(now).catch(this.#report);
    // What follows one node does for all.
    if (this.#service.isLead()) this.#tidy(now);
    this.start();
  }

  #tidy(now: number): void {
    this.#begin('empty', () => this.#emptyChats());
    this.#begin('search', () => this.#tendSearch());
    if (now >= this.#forgetSessionsAt) {
      this.#forgetSessionsAt = now + FORGET_SESSIONS_MS;
      this.#units.forgetSessions().catch(this.#report);
    }
    if (now >= this.#forgetInvitesAt) {
      this.#forgetInvitesAt = now + FORGET_INVITES_MS;
      this.#units.forgetInvites().catch(this.#report);
    }
  }

  /** Begins a piece of work, unless it is under way since an earlier tick. */
  #begin(name: string, work: () => Promise<void>): void {
    if (this.#underWay.has(name)) return;
    this.#underWay.add(name);
    work()
      .catch(this.#report)
      .finally(() => this.#underWay.delete(name));
  }

  /** Deletes what people have left behind who are gone, a little at a time (PEOPLE-14). */
  async #emptyChats(): Promise<void> {
    while (!this.#service.isDraining) {
      const chat = await this.#service.read.get(chatToEmpty);
      if (!chat) return;
      await this.#units.emptyChat({ chatKey: chat.chat_key });
    }
  }

  /** Lets the search index take up what is new, and what has changed (SEARCH-11). */
  async #tendSearch(): Promise<void> {
    const { read, search } = this.#service;
    const newest = (await read.get(newestMessageKey))?.key ?? 0;
    const change = (await read.get(endsOfChanges))?.last ?? 0;
    if (newest - this.#searched.newest < SEARCH_TAIL && change === this.#searched.change) return;
    await search.tend().then(
      () => (this.#searched = { newest, change }),
      () => {}, // what goes wrong with it is told where it goes wrong
    );
  }

  /** Ends daemons' streams whose bot was taken away, or whose daemon has gone away. */
  #endStreams(): void {
    const { streams } = this.#service;
    for (const stream of streams.all()) {
      if (stream.info.runner !== 'daemon' || stream.closing) continue;
      if (stream.isRevoked) this.#end(stream, revoked);
      else if (streams.isLapsed(stream)) this.#end(stream, lapsed);
    }
  }

  #end(stream: LiveStream, end: EndOfReply): void {
    this.#service
      .closeStream(stream, end)
      .catch((error: unknown) => this.#service.logger.error({ err: error }, 'a stream could not be ended'));
  }
}
