import type { LiveStream } from '../replies/live-stream.ts';
import { type EndOfReply, revoked } from '../replies/end-of-reply.ts';
import type { Logger } from 'pino';
import type { LiveStreams } from '../replies/live-streams.ts';
import type { ReplyEnds } from '../replies/reply-ends.ts';
import type { TokenUses } from '../calls/token-uses.ts';
import type { Clock, Timer } from '../core/clock.ts';
import type { DiskSpace } from '../core/disk-space.ts';
import type { Closers } from '../core/opening.ts';
import type { Settings } from '../core/settings.ts';
import type { LogUpkeep } from '../log/log-upkeep.ts';
import type { MessageSearch } from '../search/message-search.ts';
import type { OidcSignIns } from '../people/oidc/oidc-sign-ins.ts';
import type { WebhookDeliveries } from '../webhooks/deliveries.ts';
import type { Sql } from '../store/sql.ts';
import type { UnitCallers } from '../commits/unit-callers.ts';
import type { InternalUnits } from '../units/index.ts';
import type { Files } from '../files/files.ts';
import type { Library } from '../library/library.ts';
import { idText } from '../core/ids.ts';
import { dueDecisions } from '../store/decisions.ts';
import { chatToEmpty } from '../store/people.ts';
import { stalePolls } from '../store/polls.ts';
import { sendDue } from './send-due.ts';
import { endsOfTextChanges } from '../store/file-texts.ts';
import { endsOfChanges, newestMessageKey } from '../store/search.ts';

const PACE_MS = 1_000;
/** Number of new messages that a search may scan row by row; when there are more, they are indexed. */
const SEARCH_TAIL = 256;
/** Maximum polls whose results are published per tick. */
const POLLS_PER_TICK = 100;
/** Decisions whose time has run out that are read at once. */
const DECISIONS_AT_ONCE = 100;
/** Maximum sessions touched per tick: thousands of sockets may close at once. */
const TOUCHED_AT_ONCE = 500;
const FORGET_SESSIONS_MS = 3_600_000;
const FORGET_INVITES_MS = 3_600_000;
const FORGET_PREVIEWS_MS = 3_600_000;

const lapsed: EndOfReply = {
  status: 'failed',
  finishReason: 'lease',
  alert: 'The bot that was replying has gone away.',
};

interface KeptRooms {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly read: Sql;
  readonly units: UnitCallers<InternalUnits>;
  readonly upkeep: LogUpkeep;
  readonly streams: LiveStreams;
  readonly replyEnds: ReplyEnds;
  readonly files: Files;
  readonly library: Library;
  readonly search: MessageSearch;
  readonly settings: Pick<Settings, 'fileSearch'>;
  readonly disk: DiskSpace;
  readonly webhooks: Pick<WebhookDeliveries, 'tend'>;
  readonly oidc: Pick<OidcSignIns, 'tend'>;
  /** Keys of sessions in use since the last tick. */
  readonly touchedSessions: Set<number>;
  readonly tokenUses: TokenUses;
  /** True on the node that does the work that only one node needs to do. */
  readonly isLead: () => boolean;
  /** `isDraining`: the service stops. */
  readonly life: { isDraining: boolean };
}

/** Starts the periodic work. A service that closes does none, and takes no calls. */
export function openHousekeeping(rooms: KeptRooms, opened: Closers): void {
  const housekeeping = new Housekeeping(rooms);
  opened.defer(() => {
    rooms.life.isDraining = true;
    housekeeping.stop();
  });
  housekeeping.start();
}

/** Periodic work of the service, about once a second. */
class Housekeeping {
  readonly #rooms: KeptRooms;
  #timer: Timer | null = null;
  /** Tasks in progress: a task never overlaps itself, however long it takes. */
  readonly #underWay = new Set<string>();
  #isStopped = false;
  #searched = { newest: 0, change: 0, text: 0 };
  #forgetSessionsAt = 0;
  #forgetInvitesAt = 0;
  #forgetPreviewsAt = 0;

  constructor(rooms: KeptRooms) {
    this.#rooms = rooms;
  }

  readonly #report = (error: unknown): void => {
    // Failures are expected while the service stops.
    if (!this.#isStopped) this.#rooms.logger.error({ err: error }, 'housekeeping failed');
  };

  start(): void {
    this.#timer = this.#rooms.clock.setTimer(() => this.#tick(), PACE_MS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#timer = null;
  }

  #tick(): void {
    const { streams, upkeep, clock, touchedSessions } = this.#rooms;
    const now = clock.monotonic();
    void streams.checkpoints.storeAll(streams.all());
    this.#endStreams();
    this.#begin('disk', () => this.#rooms.disk.look());
    this.#begin('files', () => this.#rooms.files.tend());
    if (touchedSessions.size > 0) {
      const touched = [...touchedSessions].slice(0, TOUCHED_AT_ONCE);
      for (const key of touched) touchedSessions.delete(key);
      this.#rooms.units.touchSessions(touched).catch(this.#report);
    }
    const usedTokens = this.#rooms.tokenUses.take();
    if (usedTokens.length > 0) this.#rooms.units.touchAccessTokens(usedTokens).catch(this.#report);
    upkeep.tend().catch(this.#report);
    // Work that one node does for all.
    if (this.#rooms.isLead()) this.#tidy(now);
    this.start();
  }

  #tidy(now: number): void {
    this.#begin('empty', () => this.#emptyChats());
    this.#begin('polls', () => this.#publishPolls());
    this.#begin('decisions', () => this.#expireDecisions());
    this.#begin('file texts', () => this.#readFiles());
    this.#begin('library', () => this.#readSources());
    this.#begin('search', () => this.#tendSearch());
    this.#begin('scheduled', () => this.#sendDue());
    this.#begin('webhooks', () => this.#rooms.webhooks.tend());
    this.#begin('issuers', () => this.#rooms.oidc.tend());
    if (now >= this.#forgetSessionsAt) {
      this.#forgetSessionsAt = now + FORGET_SESSIONS_MS;
      this.#rooms.units.forgetSessions().catch(this.#report);
    }
    if (now >= this.#forgetPreviewsAt) {
      this.#forgetPreviewsAt = now + FORGET_PREVIEWS_MS;
      this.#rooms.units.forgetPreviews().catch(this.#report);
    }
    if (now >= this.#forgetInvitesAt) {
      this.#forgetInvitesAt = now + FORGET_INVITES_MS;
      this.#rooms.units.forgetInvites().catch(this.#report);
      this.#rooms.units.forgetCalls().catch(this.#report);
      this.#rooms.units.forgetReports().catch(this.#report);
    }
  }

  /** Starts a task, unless it is still running since an earlier tick. */
  #begin(name: string, work: () => Promise<void>): void {
    if (this.#underWay.has(name)) return;
    this.#underWay.add(name);
    work()
      .catch(this.#report)
      .finally(() => this.#underWay.delete(name));
  }

  /** Empties conversations that deleted accounts left without readers, a part at a time (PEOPLE-14). */
  async #emptyChats(): Promise<void> {
    while (!this.#rooms.life.isDraining) {
      const chat = await this.#rooms.read.get(chatToEmpty);
      if (!chat) return;
      await this.#rooms.units.emptyChat({ chatKey: chat.chat_key });
    }
  }

  /** Publishes the results of polls with new votes, at most once per tick (POLL-6). */
  async #publishPolls(): Promise<void> {
    for (const { message_key: messageKey, chat_id } of await this.#rooms.read.all(stalePolls, POLLS_PER_TICK))
      await this.#rooms.units.publishPoll({ chatId: idText(chat_id), messageKey });
  }

  /** Ends the decisions whose time has run out, also while the service was away (DECIDE-8). */
  async #expireDecisions(): Promise<void> {
    const { read, units, clock, life } = this.#rooms;
    for (let after = 0; !life.isDraining;) {
      const due = await read.all(dueDecisions, clock.now(), after, DECISIONS_AT_ONCE);
      for (const { message_key: messageKey, id } of due)
        // One that fails is tried again in the next tick.
        await units.expireDecision({ messageKey, messageId: idText(id) }).catch(this.#report);
      if (due.length < DECISIONS_AT_ONCE) return;
      after = due.at(-1)?.message_key ?? 0;
    }
  }

  #sendDue(): Promise<void> {
    const { read, units, clock, disk, life } = this.#rooms;
    return sendDue({ read, units, now: () => clock.now(), isPaused: () => life.isDraining || disk.isFull });
  }

  /** Reads files of messages for the search (FILE-28). */
  async #readFiles(): Promise<void> {
    const { files, disk, life, settings } = this.#rooms;
    const isPaused = (): boolean => disk.isFull || life.isDraining;
    if (settings.fileSearch && !isPaused()) await files.texts.tend(isPaused);
  }

  /** Reads sources of libraries (KNOW-3). */
  async #readSources(): Promise<void> {
    const { library, disk, life } = this.#rooms;
    const isPaused = (): boolean => disk.isFull || life.isDraining;
    if (!isPaused()) await library.tend(isPaused);
  }

  /** Lets the search index take in new and changed messages (SEARCH-11). */
  async #tendSearch(): Promise<void> {
    const { read, search } = this.#rooms;
    const newest = (await read.get(newestMessageKey))?.key ?? 0;
    const change = (await read.get(endsOfChanges))?.last ?? 0;
    const text = (await read.get(endsOfTextChanges))?.last ?? 0;
    const isChanged = change !== this.#searched.change || text !== this.#searched.text;
    if (newest - this.#searched.newest < SEARCH_TAIL && !isChanged) return;
    await search.tend().then(
      () => (this.#searched = { newest, change, text }),
      () => {}, // the search has logged the error
    );
  }

  /** Ends daemons' streams whose bot was removed, or whose daemon is dead. */
  #endStreams(): void {
    const { streams } = this.#rooms;
    for (const stream of streams.all()) {
      if (stream.info.runner !== 'daemon' || !stream.isLive) continue;
      if (stream.isRevoked) this.#end(stream, revoked);
      else if (streams.isLapsed(stream)) this.#end(stream, lapsed);
    }
  }

  #end(stream: LiveStream, end: EndOfReply): void {
    this.#rooms.replyEnds
      .close(stream, end)
      .catch((error: unknown) => this.#rooms.logger.error({ err: error }, 'failed to end a stream'));
  }
}
