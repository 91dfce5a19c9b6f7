import type { SocketSession } from './session.ts';

/**
 * Which accounts have live sockets on this node. Rooms that ask this open before `Sockets`, which adds and removes the
 * sockets and then calls those rooms.
 */
export class LiveSockets {
  readonly #byAccount = new Map<number, SocketSession[]>();

  isLive(accountKey: number): boolean {
    return peoples(this.of(accountKey)).length > 0;
  }

  /** All sockets of an account, the closing ones too, oldest first. */
  of(accountKey: number): readonly SocketSession[] {
    return this.#byAccount.get(accountKey) ?? [];
  }

  /** The open sockets of an account, oldest first; closing ones do not count. */
  openOf(accountKey: number): SocketSession[] {
    return this.of(accountKey).filter(({ isOpen }) => isOpen);
  }

  /** When the open sockets of an account were opened. */
  openedAt(accountKey: number): number[] {
    return this.openOf(accountKey).map(({ connection }) => connection.openedAt);
  }

  /** The last sign of life of an account's sockets; null if it has none. */
  heardAt(accountKey: number): number | null {
    const own = peoples(this.of(accountKey));
    return own.length > 0 ? lastOf(own) : null;
  }

  /** The last sign of life of each account with sockets. */
  *heard(): Iterable<[accountKey: number, heardAt: number]> {
    for (const [accountKey, all] of this.#byAccount) {
      const own = peoples(all);
      if (own.length > 0) yield [accountKey, lastOf(own)];
    }
  }

  add(session: SocketSession): void {
    const own = this.#byAccount.get(session.caller.key);
    if (own) own.push(session);
    else this.#byAccount.set(session.caller.key, [session]);
  }

  remove(session: SocketSession): void {
    const own = this.of(session.caller.key).filter((other) => other !== session);
    if (own.length > 0) this.#byAccount.set(session.caller.key, own);
    else this.#byAccount.delete(session.caller.key);
  }
}

/** Without those of access tokens: a program's socket does not show that its person is there (ACCESS-11). */
function peoples(sessions: readonly SocketSession[]): readonly SocketSession[] {
  return sessions.some(({ caller }) => caller.grant) ? sessions.filter(({ caller }) => !caller.grant) : sessions;
}

const lastOf = (sessions: readonly SocketSession[]): number =>
  sessions.reduce((last, { connection }) => Math.max(last, connection.heardAt), 0);
