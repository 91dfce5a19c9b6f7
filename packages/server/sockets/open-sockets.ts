import type { TypingIndicators } from '../agents/typing.ts';
import type { Clock } from '../core/clock.ts';
import { type Closers, type FaultLogger, logFaults } from '../core/opening.ts';
import type { Hub } from '../log/hub.ts';
import type { PushDelivery } from '../push/delivery.ts';
import { isLive } from '../push/liveness.ts';
import type { Sql } from '../store/sql.ts';
import { PresenceWatch } from './presence-watch.ts';
import { Sockets, type SocketNeeds } from './sockets.ts';

interface RoomsAbove extends Pick<SocketNeeds, 'live'> {
  clock: Clock;
  logger: FaultLogger;
  read: Sql;
  hub: Hub;
  typing: TypingIndicators;
  push: PushDelivery;
  /** When an account was last heard from, on any node; null if it has no live socket. */
  heardAt: (accountKey: number) => number | null;
  authenticator: {
    keepSession: SocketNeeds['keepSession'];
    keepToken: SocketNeeds['keepToken'];
    socketClosed(sessionKey: number): void;
  };
  others: {
    openedAt: SocketNeeds['openedElsewhere'];
    came(accountKey: number): void;
    went(accountKey: number, heardAt: number, isClean: boolean): void;
  };
}

/** The sockets of this node, and everything that follows from one that opens or closes. */
export function openSockets(above: RoomsAbove, opened: Closers) {
  const { clock, logger, read, hub, live, heardAt, typing, push, authenticator, others } = above;
  const presence = new PresenceWatch({
    clock,
    read,
    hub,
    isLive: (accountKey) => isLive(heardAt(accountKey), clock.monotonic()),
    onFault: logFaults(logger, 'failed to send who is online'),
  });
  opened.defer(() => presence.close());
  const sockets = new Sockets({
    clock,
    hub,
    live,
    openedElsewhere: (accountKey) => others.openedAt(accountKey),
    keepSession: (sessionKey) => authenticator.keepSession(sessionKey),
    keepToken: (grant) => authenticator.keepToken(grant),
    follower: {
      came({ caller }) {
        others.came(caller.key);
        presence.changed(caller.key);
      },
      last: (accountKey) => void typing.socketGone(accountKey),
      gone(session, isClean) {
        const { caller, connection } = session;
        presence.forget(session);
        presence.changed(caller.key);
        if (caller.sessionKey !== null) authenticator.socketClosed(caller.sessionKey);
        // The socket of a program has held no push back (ACCESS-11).
        if (caller.grant) return others.came(caller.key);
        push.socketGone(caller.key, connection.heardAt, isClean);
        push.askTakeBacks(caller.key);
        return others.went(caller.key, connection.heardAt, isClean);
      },
    },
  });
  return { sockets, presence };
}
