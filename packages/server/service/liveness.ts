import type { OtherNodes } from '../calls/other-nodes.ts';
import type { LiveSockets } from '../sockets/live-sockets.ts';

/** Who is connected, to this node or to another. */
export function livenessOf(live: LiveSockets, others: OtherNodes) {
  return {
    /** When an account was last heard from over a live socket; null if it has none. */
    heardAt: (accountKey: number) => latest(live.heardAt(accountKey), others.heardAt(accountKey)),
    isElsewhere: (accountKey: number) => others.isLive(accountKey),
    findLive: (accountKey: number) => live.isLive(accountKey) || others.findLive(accountKey),
    /** When each live socket of an account was opened. */
    socketsOf: (accountKey: number) => [...live.openedAt(accountKey), ...others.openedAt(accountKey)],
  };
}

const latest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);
