import type { Presence, PresenceStatus } from '@parley/protocol';
import type { Clock, Timer } from '../core/clock.ts';
import { Slice } from '../core/slices.ts';
import { eventClass } from '../core/event-kinds.ts';
import type { Hub } from '../log/hub.ts';
import { lastSeenOf, type PresentAccount, presentAmong, viewersAmong } from '../store/presence.ts';
import type { Sql } from '../store/sql.ts';
import type { SocketSession } from './session.ts';

/** How long changes are collected: an account whose page is loaded again goes offline and online within this time. */
const GATHER_MS = 3_000;
/** Maximum sockets of this node that are sent the changes of one account; further ones learn of them when they ask. */
const MOST_WATCHERS = 200;
/** Maximum events of this node per GATHER_MS, for example when everyone in a large group connects again. */
const MOST_EVENTS = 1_000;
/** Accounts per query: a person in many conversations may share none with them. */
const AT_ONCE = 10;
const MINUTE_MS = 60_000;

interface Ports {
  clock: Clock;
  read: Sql;
  hub: Pick<Hub, 'flushSubscription'>;
  /** True for an account with a live socket, on any node (PUSH-8). */
  isLive: (accountKey: number) => boolean;
  onFault: (error: unknown) => void;
}

/**
 * Which sockets of this node show the presence of which accounts. Presence is not in the log: a change is sent to these
 * sockets alone, so that a person in many large groups costs no more than one in few.
 */
export class PresenceWatch {
  readonly #ports: Ports;
  /** account → the sockets that show it, with the status that each was sent last. */
  readonly #watchers = new Map<number, Map<SocketSession, PresenceStatus>>();
  readonly #watched = new Map<SocketSession, readonly number[]>();
  readonly #changed = new Set<number>();
  #timer: Timer | null = null;
  #isPublishing = false;
  #isClosed = false;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /**
   * The presence of those accounts that the person may know. From now on the socket, if it receives such events, is sent
   * their changes, and no longer those of the accounts for which it asked before.
   */
  async ask(viewerKey: number, usernames: readonly string[], session: SocketSession | undefined): Promise<Presence[]> {
    const { read } = this.#ports;
    const slice = new Slice();
    const found: PresentAccount[] = [];
    for (let at = 0; at < usernames.length; at += AT_ONCE) {
      found.push(...(await read.list(presentAmong, usernames.slice(at, at + AT_ONCE), viewerKey)));
      await slice.pause();
    }
    const statuses = new Map(found.map(({ key }) => [key, this.#statusOf(key)]));
    if (session?.isOpen && session.classes & eventClass.ext) this.#watch(session, statuses);
    return this.#presences(found, statuses);
  }

  /** To be called when a socket of the account has opened or closed, on any node. */
  changed(accountKey: number): void {
    if (this.#isClosed || !this.#watchers.has(accountKey)) return;
    this.#changed.add(accountKey);
    this.#schedule();
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
    if (this.#isPublishing || this.#isClosed || this.#changed.size === 0) return;
    this.#timer ??= this.#ports.clock.setTimer(() => void this.#publish(), GATHER_MS);
  }

  #statusOf(accountKey: number): PresenceStatus {
    return this.#ports.isLive(accountKey) ? 'online' : 'offline';
  }

  #watch(session: SocketSession, statuses: ReadonlyMap<number, PresenceStatus>): void {
    this.forget(session);
    const watched: number[] = [];
    for (const [key, status] of statuses) {
      const watchers = this.#watchers.get(key) ?? new Map<SocketSession, PresenceStatus>();
      if (watchers.size >= MOST_WATCHERS) continue;
      this.#watchers.set(key, watchers.set(session, status));
      watched.push(key);
    }
    this.#watched.set(session, watched);
  }

  async #presences(
    accounts: readonly PresentAccount[],
    statuses: ReadonlyMap<number, PresenceStatus>,
  ): Promise<Presence[]> {
    const away = accounts.filter(({ key, kind }) => kind === 'human' && statuses.get(key) === 'offline');
    const keys = away.map(({ key }) => key);
    const rows = keys.length > 0 ? await this.#ports.read.list(lastSeenOf, keys) : [];
    const seenAt = new Map(rows.map(({ account_key, seen_at }) => [account_key, seen_at]));
    return accounts.map(({ key, username }) => {
      const at = seenAt.get(key);
      const minute = at === undefined ? undefined : new Date(at - (at % MINUTE_MS)).toISOString();
      return {
        username,
        status: statuses.get(key) ?? 'offline',
        ...(minute !== undefined && { last_seen_at: minute }),
      };
    });
  }

  async #publish(): Promise<void> {
    this.#timer = null;
    this.#isPublishing = true;
    const changed = [...this.#changed];
    this.#changed.clear();
    const slice = new Slice();
    let left = MOST_EVENTS;
    for (const key of changed) {
      // The other sockets learn of it when they ask again.
      if (this.#isClosed || left === 0) break;
      const outdated = this.#outdated(key).slice(0, left);
      left -= outdated.length;
      await this.#publishOne(key, outdated).catch(this.#ports.onFault);
      await slice.pause();
    }
    this.#isPublishing = false;
    this.#schedule();
  }

  /** Sends an account's status to those of the sockets whose people may still know it (PRESENCE-5). */
  async #publishOne(accountKey: number, outdated: readonly SocketSession[]): Promise<void> {
    const { read, hub } = this.#ports;
    const people = [...new Set(outdated.map(({ caller }) => caller.key))];
    const viewers = new Set<number>();
    let account: PresentAccount | undefined;
    for (let at = 0; at < people.length; at += AT_ONCE)
      for (const row of await read.list(viewersAmong, people.slice(at, at + AT_ONCE), accountKey)) {
        viewers.add(row.key);
        account = { key: accountKey, username: row.username, kind: row.kind };
      }
    if (!account) return;
    const status = this.#statusOf(accountKey);
    const [presence] = await this.#presences([account], new Map([[accountKey, status]]));
    const params = JSON.stringify(presence);
    if (this.#statusOf(accountKey) !== status) return;
    const watchers = this.#watchers.get(accountKey);
    for (const session of outdated) {
      if (!viewers.has(session.caller.key) || !watchers?.has(session)) continue;
      watchers.set(session, status);
      // A reader that is slow learns of it when it asks again.
      if (!session.mayReply() || !session.subscription) continue;
      hub.flushSubscription(session.subscription);
      const last = session.head;
      session.sendText(`{"method":"events.presence","params":${params},"seq":${last},"prev":${last}}`);
    }
  }

  /** The sockets that were last sent another status than the account has now. */
  #outdated(accountKey: number): SocketSession[] {
    const status = this.#statusOf(accountKey);
    return [...(this.#watchers.get(accountKey) ?? [])]
      .filter(([, sent]) => sent !== status)
      .map(([session]) => session);
  }
}
