import type { Presence, PresenceStatus } from '@parley/protocol';
import type { Clock, Timer } from '../core/clock.ts';
import { Slice } from '../core/slices.ts';
import { eventClass } from '../core/event-kinds.ts';
import type { Hub } from '../log/hub.ts';
import { type KnownAccount, knownAmong, lastSeenOf, sharingIn, viewersAmong } from '../store/presence.ts';
import { peopleOf } from '../store/chats.ts';
import { statusRecord } from '../rendering/records.ts';
import type { Sql, Statement } from '../store/sql.ts';
import type { SocketSession } from './session.ts';

/** How long changes are collected: an account whose page is loaded again goes offline and online within this time. */
const GATHER_MS = 3_000;
/** Maximum sockets of this node that are sent the changes of one account; further ones learn of them when they ask. */
const MAX_WATCHERS = 200;
/** Maximum events of this node per GATHER_MS, for example when everyone in a large group connects again. */
const MAX_EVENTS = 1_000;
/** Accounts per query: a person in many conversations may share none with them. */
const AT_ONCE = 5;
const MINUTE_MS = 60_000;

interface PresenceNeeds {
  clock: Clock;
  read: Sql;
  hub: Pick<Hub, 'flushSubscription'>;
  /** True for an account with a live socket, on any node (PUSH-8). */
  isLive: (accountKey: number) => boolean;
  onFault: (error: unknown) => void;
}

/**
 * Which sockets of this node show the presence and the statuses of which accounts. Changes of them are not in the log:
 * they are sent to these sockets alone, so that a person in many large groups costs no more than one in few.
 */
export class PresenceWatch {
  readonly #needs: PresenceNeeds;
  /**
   * account → the sockets that show it, with whether it was online when each was sent last; null if it has set another
   * status since.
   */
  readonly #watchers = new Map<number, Map<SocketSession, PresenceStatus | null>>();
  readonly #watched = new Map<SocketSession, readonly number[]>();
  /** Accounts that have changed, with the time at which that is sent; the earliest first. */
  readonly #changed = new Map<number, number>();
  /** For each call that asks at this moment: the accounts that have set another status since it began to read. */
  readonly #statusChangesWhileReading = new Set<Set<number>>();
  /** The events that may still be sent within GATHER_MS of `since`. */
  #window = { since: Number.NEGATIVE_INFINITY, left: 0 };
  #timer: Timer | null = null;
  #isPublishing = false;
  #isClosed = false;

  constructor(needs: PresenceNeeds) {
    this.#needs = needs;
  }

  /**
   * The presence of those accounts that the person may know. From now on the socket, if it receives such events, is sent
   * their changes, and no longer those of the accounts for which it asked before.
   */
  async ask(viewerKey: number, usernames: readonly string[], session: SocketSession | undefined): Promise<Presence[]> {
    const changed = new Set<number>();
    this.#statusChangesWhileReading.add(changed);
    const found = await this.#list(knownAmong, usernames, viewerKey).finally(() =>
      this.#statusChangesWhileReading.delete(changed),
    );
    const statuses = new Map(found.map(({ key }) => [key, this.#statusOf(key)]));
    if (session?.isOpen && session.classes & eventClass.ext) this.#watch(session, statuses);
    for (const key of changed) this.statusChanged(key);
    const presences = await this.#presences(found, statuses);
    return presences.filter(({ status, custom_status }) => status !== undefined || custom_status !== undefined);
  }

  /**
   * The people of a conversation who are online, as far as the sender may know that: whom `@here` of the sender means
   * (MENTION-16).
   */
  async onlineIn(chatKey: number, senderKey: number): Promise<string[]> {
    const { read, isLive } = this.#needs;
    const people = await read.all(peopleOf, chatKey);
    const live = people.map(({ account_key }) => account_key).filter(isLive);
    const slice = new Slice();
    const online: string[] = [];
    for (let at = 0; at < live.length; at += AT_ONCE) {
      const known = await read.list(sharingIn, live.slice(at, at + AT_ONCE), chatKey, senderKey);
      online.push(...known.map(({ username }) => username));
      await slice.pause();
    }
    return online;
  }

  /** To be called when a socket of the account has opened or closed, on any node. */
  changed(accountKey: number): void {
    if (this.#isClosed || !this.#watchers.has(accountKey)) return;
    if (!this.#changed.has(accountKey)) this.#changed.set(accountKey, this.#needs.clock.monotonic() + GATHER_MS);
    this.#schedule();
  }

  /** To be called when an account has set another status, on any node. */
  statusChanged(accountKey: number): void {
    for (const changed of this.#statusChangesWhileReading) changed.add(accountKey);
    const watchers = this.#watchers.get(accountKey);
    for (const session of watchers?.keys() ?? []) watchers?.set(session, null);
    this.changed(accountKey);
  }

  /** To be called when a socket has closed. */
  forget(session: SocketSession): void {
    for (const key of this.#watched.get(session) ?? []) {
      const watchers = this.#watchers.get(key);
      watchers?.delete(session);
      if (watchers?.size === 0) this.#watchers.delete(key);
    }
    this.#watched.delete(session);
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#timer = null;
  }

  #schedule(): void {
    const [nextAt] = this.#changed.values();
    if (this.#isPublishing || this.#isClosed || nextAt === undefined) return;
    const { clock } = this.#needs;
    this.#timer ??= clock.setTimer(() => void this.#publish(), Math.max(0, nextAt - clock.monotonic()));
  }

  #statusOf(accountKey: number): PresenceStatus {
    return this.#needs.isLive(accountKey) ? 'online' : 'offline';
  }

  #watch(session: SocketSession, statuses: ReadonlyMap<number, PresenceStatus>): void {
    this.forget(session);
    const watched: number[] = [];
    for (const [key, status] of statuses) {
      const watchers = this.#watchers.get(key) ?? new Map<SocketSession, PresenceStatus | null>();
      if (watchers.size >= MAX_WATCHERS) continue;
      this.#watchers.set(key, watchers.set(session, status));
      watched.push(key);
    }
    this.#watched.set(session, watched);
  }

  async #list<Value extends string | number>(
    statement: Statement<KnownAccount, [about: number, now: number]>,
    values: readonly Value[],
    about: number,
  ): Promise<KnownAccount[]> {
    const { read, clock } = this.#needs;
    const slice = new Slice();
    const rows: KnownAccount[] = [];
    for (let at = 0; at < values.length; at += AT_ONCE) {
      rows.push(...(await read.list(statement, values.slice(at, at + AT_ONCE), about, clock.now())));
      await slice.pause();
    }
    return rows;
  }

  async #presences(
    accounts: readonly KnownAccount[],
    statuses: ReadonlyMap<number, PresenceStatus>,
  ): Promise<Presence[]> {
    const away = accounts.filter(
      ({ key, kind, includes_online }) => kind === 'human' && includes_online === 1 && statuses.get(key) === 'offline',
    );
    const keys = away.map(({ key }) => key);
    const rows = keys.length > 0 ? await this.#needs.read.list(lastSeenOf, keys) : [];
    const seenAt = new Map(rows.map(({ account_key, seen_at }) => [account_key, seen_at]));
    return accounts.map((row) => {
      const at = seenAt.get(row.key);
      const minute = at === undefined ? undefined : new Date(at - (at % MINUTE_MS)).toISOString();
      return {
        username: row.username,
        ...(row.includes_online === 1 && { status: statuses.get(row.key) ?? 'offline' }),
        ...(minute !== undefined && { last_seen_at: minute }),
        ...((row.emoji !== null || row.text !== null) && { custom_status: statusRecord(row) }),
      };
    });
  }

  async #publish(): Promise<void> {
    this.#timer = null;
    this.#isPublishing = true;
    const now = this.#needs.clock.monotonic();
    if (now - this.#window.since >= GATHER_MS) this.#window = { since: now, left: MAX_EVENTS };
    const due = [...this.#changed].filter(([, at]) => at <= now).map(([key]) => key);
    for (const key of due) this.#changed.delete(key);
    const slice = new Slice();
    for (const key of due) {
      // The other sockets learn of it when they ask again.
      if (this.#isClosed || this.#window.left === 0) break;
      const outdated = this.#outdated(key).slice(0, this.#window.left);
      this.#window.left -= outdated.length;
      await this.#publishOne(key, outdated).catch(this.#needs.onFault);
      await slice.pause();
    }
    this.#isPublishing = false;
    this.#schedule();
  }

  /** Sends what an account shows to those of the sockets whose people may still know it (PRESENCE-5). */
  async #publishOne(accountKey: number, outdated: readonly SocketSession[]): Promise<void> {
    const watchers = this.#watchers.get(accountKey);
    const status = this.#statusOf(accountKey);
    const before = outdated.map((session) => ({ session, sent: watchers?.get(session) }));
    for (const session of outdated) watchers?.set(session, status);
    const people = [...new Set(outdated.map(({ caller }) => caller.key))];
    const viewers = new Map((await this.#list(viewersAmong, people, accountKey)).map((row) => [row.key, row]));
    const texts = await this.#textsFor(accountKey, viewers.values(), status);
    const isOutdated = this.#statusOf(accountKey) !== status;
    if (isOutdated) this.changed(accountKey);
    for (const { session, sent } of before) {
      const viewer = viewers.get(session.caller.key);
      // What has changed again meanwhile is sent the next time.
      if (!viewer || sent === undefined || watchers?.get(session) !== status) continue;
      if (isOutdated) {
        watchers.set(session, sent);
        continue;
      }
      // To those who may not know whether it is online, only another status is a change.
      if (sent !== null && viewer.includes_online === 0) continue;
      // A reader that is slow learns of it when it asks again.
      if (!session.mayReply() || !session.subscription) continue;
      this.#needs.hub.flushSubscription(session.subscription);
      const last = session.head;
      const params = texts.get(viewer.includes_online);
      session.sendText(`{"method":"events.presence","params":${params},"seq":${last},"prev":${last}}`);
    }
  }

  /** What an account shows, as JSON text: for those who may know whether it is online, and for the others. */
  async #textsFor(
    accountKey: number,
    viewers: Iterable<KnownAccount>,
    status: PresenceStatus,
  ): Promise<ReadonlyMap<number, string>> {
    const kinds = new Map([...viewers].map((row) => [row.includes_online, { ...row, key: accountKey }]));
    const presences = await this.#presences([...kinds.values()], new Map([[accountKey, status]]));
    return new Map([...kinds.keys()].map((includesOnline, at) => [includesOnline, JSON.stringify(presences[at])]));
  }

  /** The sockets that were last sent something else than the account shows now. */
  #outdated(accountKey: number): SocketSession[] {
    const status = this.#statusOf(accountKey);
    return [...(this.#watchers.get(accountKey) ?? [])]
      .filter(([, sent]) => sent !== status)
      .map(([session]) => session);
  }
}
