// sockets/: live sockets: requests, pace, heartbeats. Imports people and below, neither search nor exports.
import type { AccessGrant } from '../access/call.ts';
import type { AccountRole } from '@parley/protocol';
import { hasCome } from '@parley/protocol/dates';
import type { Clock, Timer } from '../core/clock.ts';
import type { Hub } from '../log/hub.ts';
import { hasFocus, type EventFilter } from '../log/caps.ts';
import type { LiveSockets } from './live-sockets.ts';
import type { SocketSession } from './session.ts';

const SWEEP_MS = 1_000;
/** Time between two heartbeats and pings of a socket (SOCKET-7). */
const TICK_MS = 25_000;
const MAX_SOCKETS_PER_ACCOUNT = 50;
/** How long `closeAll` waits for clients to complete the close handshake. */
const CLOSE_MS = 1_000;

/** What is called with each socket that opens or closes. */
interface SocketFollower {
  /** Called with each new socket. */
  came: (session: SocketSession) => void;
  /** Called with each closed socket; `isClean` says whether the close handshake was completed. */
  gone: (session: SocketSession, isClean: boolean) => void;
  /** Called before `gone` when the last socket of an account has closed. */
  last: (accountKey: number) => void;
}

export interface SocketNeeds {
  clock: Clock;
  hub: Hub;
  live: LiveSockets;
  follower: SocketFollower;
  /** When the account's sockets on other nodes were opened. */
  openedElsewhere: (accountKey: number) => readonly number[];
  /** Notes that a session is in use. Resolves with false if the session has ended. */
  keepSession: (sessionKey: number) => Promise<boolean>;
  /** Resolves with false if the access token was revoked or has expired. */
  keepToken: (grant: AccessGrant) => Promise<boolean>;
}

/** All live sockets of this node: sends heartbeats, and closes slow, dead and revoked ones. */
export class Sockets {
  readonly #clock: Clock;
  readonly #hub: Hub;
  readonly #openedElsewhere: SocketNeeds['openedElsewhere'];
  readonly #keepSession: SocketNeeds['keepSession'];
  readonly #keepToken: SocketNeeds['keepToken'];
  readonly #byId = new Map<string, SocketSession>();
  readonly live: LiveSockets;
  readonly #follower: SocketFollower;
  readonly #nextTick = new Map<SocketSession, number>();
  #timer: Timer | null = null;
  #onEmpty: (() => void) | null = null;

  constructor({ clock, hub, live, follower, openedElsewhere, keepSession, keepToken }: SocketNeeds) {
    this.#clock = clock;
    this.#hub = hub;
    this.live = live;
    this.#follower = follower;
    this.#openedElsewhere = openedElsewhere;
    this.#keepSession = keepSession;
    this.#keepToken = keepToken;
  }

  get count(): number {
    return this.#byId.size;
  }

  find(id: string): SocketSession | undefined {
    return this.#byId.get(id);
  }

  add(session: SocketSession): void {
    this.#byId.set(session.id, session);
    this.live.add(session);
    this.keepBound(session.caller.key);
    // Closing sockets do not count above; this limits those whose clients never complete the close handshake.
    const own = this.live.of(session.caller.key);
    if (own.length > 2 * MAX_SOCKETS_PER_ACCOUNT) own[0]?.connection.terminate();
    this.#nextTick.set(session, this.#clock.monotonic() + TICK_MS);
    this.#timer ??= this.#clock.setTimer(() => this.#sweep(), SWEEP_MS);
    this.#follower.came(session);
  }

  /** Closes this node's share of the oldest sockets if the account has too many on all nodes together (SOCKET-11). */
  keepBound(accountKey: number): void {
    const open = this.live.openOf(accountKey);
    if (open.length === 0) return;
    const elsewhere = this.#openedElsewhere(accountKey).toSorted((one, other) => one - other);
    let excess = open.length + elsewhere.length - MAX_SOCKETS_PER_ACCOUNT;
    for (const session of open) {
      while (elsewhere[0] !== undefined && elsewhere[0] <= session.connection.openedAt) {
        elsewhere.shift();
        excess -= 1;
      }
      if (excess <= 0) return;
      session.close(1013, 'too many sockets of this account');
      excess -= 1;
    }
  }

  /** The filters of an account's open sockets that use this session's token or, for null, a token without a session. */
  subscriptionsOf(accountKey: number, sessionKey: number | null): EventFilter[] {
    return this.live
      .openOf(accountKey)
      .filter(({ caller }) => caller.sessionKey === sessionKey && !caller.grant)
      .map(({ classes, subscription }) => ({
        classes,
        focus: hasFocus(classes) ? (subscription?.focus ?? null) : undefined,
      }));
  }

  remove(session: SocketSession, isClean = true): void {
    if (!this.#byId.delete(session.id)) return;
    session.gone();
    this.#nextTick.delete(session);
    if (session.subscription) this.#hub.disconnect(session.subscription, session);
    this.live.remove(session);
    if (!this.live.isLive(session.caller.key)) this.#follower.last(session.caller.key);
    this.#follower.gone(session, isClean);
    if (this.#byId.size === 0) this.#onEmpty?.();
  }

  /** Ends the sockets of ended sessions (AUTH-7). */
  closeSessions(sessionKeys: ReadonlySet<number>): void {
    for (const session of this.#byId.values())
      if (session.caller.sessionKey !== null && sessionKeys.has(session.caller.sessionKey))
        session.end(4401, 'the session was ended');
  }

  /** Ends the sockets of revoked access tokens (ACCESS-3). */
  closeTokens(tokenKeys: ReadonlySet<number>): void {
    for (const session of this.#byId.values())
      if (session.caller.grant && tokenKeys.has(session.caller.grant.key))
        session.end(4401, 'the access token was revoked');
  }

  /** Sets the display name of the callers of an account's sockets. */
  rename(accountKey: number, displayName: string): void {
    for (const session of this.live.of(accountKey)) session.caller = { ...session.caller, displayName };
  }

  /** Sets the role of the callers of an account's sockets (ROLE-4). */
  setRole(accountKey: number, role: AccountRole): void {
    for (const session of this.live.of(accountKey)) session.caller = { ...session.caller, role };
  }

  closeAccount(accountKey: number): void {
    for (const session of this.live.of(accountKey)) session.end(4401, 'the token was ended');
  }

  /** Closes all sockets, and terminates those whose clients do not complete the handshake in time. */
  async closeAll(code: number, reason: string): Promise<void> {
    this.#timer?.cancel();
    this.#timer = null;
    for (const session of this.#byId.values()) session.close(code, reason);
    if (this.#byId.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = this.#clock.setTimer(resolve, CLOSE_MS);
      this.#onEmpty = () => {
        timer.cancel();
        resolve();
      };
    });
    for (const session of this.#byId.values()) {
      session.connection.terminate();
      // ws emits `close` some ticks later, perhaps after the server has closed.
      this.remove(session, false);
    }
  }

  async #endUnlessTokenKept(session: SocketSession, grant: AccessGrant): Promise<void> {
    const isKept = await this.#keepToken(grant).catch(() => true);
    if (!isKept) session.end(4401, 'the access token has ended');
  }

  async #endUnlessKept(session: SocketSession, sessionKey: number): Promise<void> {
    // If the store fails, the next heartbeat checks again.
    const isKept = await this.#keepSession(sessionKey).catch(() => true);
    if (!isKept) session.end(4401, 'the session has expired');
  }

  #sweep(): void {
    this.#timer = null;
    const now = this.#clock.monotonic();
    for (const [session, at] of this.#nextTick) {
      const { grant } = session.caller;
      if (grant && grant.expiresAt !== null && hasCome(grant.expiresAt, this.#clock.now())) {
        session.end(4401, 'the access token has expired');
        continue;
      }
      if (!session.check(now)) continue;
      if (at > now) continue;
      this.#nextTick.set(session, now + TICK_MS);
      const { sessionKey } = session.caller;
      if (grant) void this.#endUnlessTokenKept(session, grant);
      if (sessionKey !== null) void this.#endUnlessKept(session, sessionKey);
      session.rest();
      session.connection.ping();
      if (session.subscription) this.#hub.flushSubscription(session.subscription);
      session.tick();
    }
    if (this.#byId.size > 0) this.#timer = this.#clock.setTimer(() => this.#sweep(), SWEEP_MS);
  }
}
