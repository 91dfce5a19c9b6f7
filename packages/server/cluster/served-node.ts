import type { InlineQueries } from '../agents/inline-queries.ts';
import type { LiveStreams } from '../replies/live-streams.ts';
import type { ReplyReplicas } from '../replies/reply-replicas.ts';
import type { TypingIndicators } from '../agents/typing.ts';
import type { TypingEnds } from '../agents/typing-ends.ts';
import { systemClock, type Timer } from '../core/clock.ts';
import type { PushDelivery } from '../push/delivery.ts';
import type { PresenceWatch } from '../sockets/presence-watch.ts';
import type { Sockets } from '../sockets/sockets.ts';
import type { NodeCalls } from './node-calls.ts';
import type { Forwarded } from '../calls/dispatch.ts';
import type { Peers, SubscriptionsOf } from './peers.ts';
import type { RedisConnection } from './redis-connection.ts';

/** Minimum time between two rounds in which this node sends snapshots of its open replies. */
const REST_MS = 1_000;

export interface ServedRooms {
  readonly sockets: Sockets;
  readonly presence: Pick<PresenceWatch, 'changed'>;
  readonly streams: LiveStreams;
  readonly replicas: ReplyReplicas;
  readonly push: PushDelivery;
  readonly typing: TypingIndicators;
  readonly typingEnds: TypingEnds;
  readonly inlineQueries: InlineQueries;
  /** Runs an operation that another node forwards. */
  readonly perform: (forwarded: Forwarded) => Promise<string | undefined>;
}

interface ServedNodeNeeds {
  calls: NodeCalls;
  connection: RedisConnection;
  peers: Peers;
}

/** Answers the calls of the other nodes. */
export class ServedNode {
  readonly #rooms: ServedRooms;
  readonly #peers: Peers;
  #resting: Timer | null = null;

  constructor(rooms: ServedRooms, { calls, connection, peers }: ServedNodeNeeds) {
    this.#rooms = rooms;
    this.#peers = peers;
    const { sockets, presence, streams, replicas, push, typing, inlineQueries, perform } = rooms;
    peers.presence.onGone = (accountKey, heardAt, isClean) => {
      push.socketGone(accountKey, heardAt, isClean);
      push.socketGoneElsewhere(accountKey);
      void typing.socketGone(accountKey);
      presence.changed(accountKey);
    };
    peers.presence.onOpened = (accountKey) => {
      sockets.keepBound(accountKey);
      presence.changed(accountKey);
    };
    peers.presence.onBot = (agentKey) => streams.botCalled(agentKey);
    // The names of calls are part of the messages between nodes, which may run different versions: never rename them.
    calls.serve('showStreams', async () => this.#republishStreams());
    calls.serve('typingEnds', async () => rooms.typingEnds.handOn());
    calls.serve('isLive', async (accountKey) => sockets.live.isLive(accountKey as number)); // sent by Peers.findLive
    calls.serve('subscriptionsOf', async (of) => {
      const [accountKey, sessionKey] = of as SubscriptionsOf; // sent by Peers.subscriptionsOf
      return sockets.subscriptionsOf(accountKey, sessionKey);
    });
    calls.serve('queryEnded', async (id) => inlineQueries.endedElsewhere(id as string)); // sent by Peers.queryEnded
    calls.serve('operation', async (forwarded) => perform(forwarded as Forwarded)); // sent by Forwarding
    connection.onUp(() => {
      peers.askForStreams(replicas.owners());
      // Deltas sent while the connection was down reached no node.
      if (streams.size > 0) this.#republishStreams();
    });
  }

  /** Sends snapshots of all open replies, at most once per REST_MS however many nodes request them. */
  #republishStreams(): void {
    this.#peers.isSendingDue = true;
    if (this.#resting) return;
    this.#peers.isSendingDue = false;
    this.#rooms.streams.republishAll();
    this.#resting = systemClock.setTimer(() => {
      this.#resting = null;
      if (this.#peers.isSendingDue) this.#republishStreams();
    }, REST_MS);
  }

  close(): void {
    this.#resting?.cancel();
  }
}
