// sockets/: live sockets: requests, pace, heartbeats. Imports people and below, neither search nor exports.
import type { Clock, Timer } from '../core/clock.ts';
import type { Hub } from '../log/hub.ts';
import { hasFocus, type EventFilter } from '../log/caps.ts';
import type { SocketSession } from './session.ts';

const SWEEP_MS = 1_000;
/** Time between two heartbeats and pings of a socket (SOCKET-7). */
const TICK_MS = 25_000;
const MAX_SOCKETS_PER_ACCOUNT = 50;
/** How long `closeAll` waits for clients to complete the close handshake. */
const CLOSE_MS = 1_000;

interface Ports {
  clock: Clock;
  hub: Hub;
  /** When the account's sockets on other nodes were opened. */
  openedElsewhere?: (accountKey: number) => readonly number[];
  /** Notes that a session is in use. Resolves with false if the session has ended. */
  keepSession: (sessionKey: number) => Promise<boolean>;
}

/** All live sockets of this node: sends heartbeats, and closes slow, dead and revoked ones. */
export class Sockets {
  readonly #clock: Clock;
  readonly #hub: Hub;
  readonly #openedElsewhere: NonNullable<Ports['openedElsewhere']>;
  readonly #keepSession: Ports['keepSession'];
  readonly #byId = new Map<string, SocketSession>();
  readonly #byAccount = new Map<number, SocketSession[]>();
  readonly #nextTick = new Map<SocketSession, number>();
  /** Called when the last socket of an account has closed. */
  onLast: (accountKey: number) => void = () => {};
  /** Called with each new socket. */
  onCame: (session: SocketSession) => void = () => {};
  /** Called with each closed socket; `isClean` says whether the close handshake was completed. */
  onGone: (session: SocketSession, isClean: boolean) => void = () => {};
  #timer: Timer | null = null;
  #onEmpty: (() => void) | null = null;

  constructor({ clock, hub, openedElsewhere = () => [], keepSession }: Ports) {
    this.#clock = clock;
    this.#hub = hub;
    this.#openedElsewhere = openedElsewhere;
    this.#keepSession = keepSession;
  }

  get count(): number {
    return this.#byId.size;
  }

  find(id: string): SocketSession | undefined {
    return this.#byId.get(id);
  }

  isLive(accountKey: number): boolean {
    return this.#byAccount.has(accountKey);
  }

  add(session: SocketSession): void {
    this.#byId.set(session.id, session);
    const own = this.#byAccount.get(session.caller.key);
    if (own) own.push(session);
    else this.#byAccount.set(session.caller.key, [session]);
    this.keepBound(session.caller.key);
    // Closing sockets do not count above; this limits those whose clients never complete the close handshake.
    if (own && own.length > 2 * MAX_SOCKETS_PER_ACCOUNT) own[0]?.connection.terminate();
    this.#nextTick.set(session, this.#clock.monotonic() + TICK_MS);
    this.#timer ??= this.#clock.setTimer(() => this.#sweep(), SWEEP_MS);
    this.onCame(session);
  }

  /** Closes this node's share of the oldest sockets if the account has too many on all nodes together (SOCKET-11). */
  keepBound(accountKey: number): void {
    const open = this.#openOf(accountKey);
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

  /** When the open sockets of an account were opened. */
  openedAt(accountKey: number): number[] {
    return this.#openOf(accountKey).map(({ connection }) => connection.openedAt);
  }

  /** The open sockets of an account, oldest first; closing ones do not count. */
  #openOf(accountKey: number): SocketSession[] {
    return this.#byAccount.get(accountKey)?.filter(({ isOpen }) => isOpen) ?? [];
  }

  /** The filters of an account's open sockets that use this session's token or, for null, a token without a session. */
  subscriptionsOf(accountKey: number, sessionKey: number | null): EventFilter[] {
    return this.#openOf(accountKey)
      .filter(({ caller }) => caller.sessionKey === sessionKey)
      .map(({ classes, subscription }) => ({
        classes,
        focus: hasFocus(classes) ? (subscription?.focus ?? null) : undefined,
      }));
  }

  /** The last sign of life of an account's sockets; null if it has none. */
  heardAt(accountKey: number): number | null {
    const own = this.#byAccount.get(accountKey);
    return own ? lastOf(own) : null;
  }

  /** The last sign of life of each account with sockets. */
  *heard(): Iterable<[accountKey: number, heardAt: number]> {
    for (const [accountKey, own] of this.#byAccount) yield [accountKey, lastOf(own)];
  }

  remove(session: SocketSession, isClean = true): void {
    if (!this.#byId.delete(session.id)) return;
    session.gone();
    this.#nextTick.delete(session);
    if (session.subscription) this.#hub.disconnect(session.subscription, session);
    const own = this.#byAccount.get(session.caller.key)?.filter((other) => other !== session) ?? [];
    if (own.length > 0) this.#byAccount.set(session.caller.key, own);
    else {
      this.#byAccount.delete(session.caller.key);
      this.onLast(session.caller.key);
    }
    this.onGone(session, isClean);
    if (this.#byId.size === 0) this.#onEmpty?.();
  }

  /** Ends the sockets of ended sessions (AUTH-7). */
  closeSessions(sessionKeys: ReadonlySet<number>): void {
    for (const session of this.#byId.values())
      if (session.caller.sessionKey !== null && sessionKeys.has(session.caller.sessionKey))
        session.end(4401, 'the session was ended');
  }

  /** Sets the display name of the callers of an account's sockets. */
  rename(accountKey: number, displayName: string): void {
    for (const session of this.#byAccount.get(accountKey) ?? []) session.caller = { ...session.caller, displayName };
  }

  closeAccount(accountKey: number): void {
    for (const session of this.#byAccount.get(accountKey) ?? []) session.end(4401, 'the token was ended');
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

  async #endUnlessKept(session: SocketSession, sessionKey: number): Promise<void> {
    // If the store fails, the next heartbeat checks again.
    const isKept = await this.#keepSession(sessionKey).catch(() => true);
    if (!isKept) session.end(4401, 'the session has expired');
  }

  #sweep(): void {
    this.#timer = null;
    const now = this.#clock.monotonic();
    for (const [session, at] of this.#nextTick) {
      if (!session.check(now)) continue;
      if (at > now) continue;
      this.#nextTick.set(session, now + TICK_MS);
      const { sessionKey } = session.caller;
      if (sessionKey !== null) void this.#endUnlessKept(session, sessionKey);
      session.rest();
      session.connection.ping();
      if (session.subscription) this.#hub.flushSubscription(session.subscription);
      session.tick();
    }
    if (this.#byId.size > 0) this.#timer = this.#clock.setTimer(() => this.#sweep(), SWEEP_MS);
  }
}

const lastOf = (sessions: readonly SocketSession[]): number =>
  sessions.reduce((last, { connection }) => Math.max(last, connection.heardAt), 0);
