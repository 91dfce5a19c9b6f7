import type { InlineQueries } from '../agents/inline-queries.ts';
import type { LiveStreams } from '../replies/live-streams.ts';
import type { ReplyReplicas } from '../replies/reply-replicas.ts';
import type { Forward, Forwarded } from '../calls/dispatch.ts';
import { notFound, ServiceError } from '../core/errors.ts';
import type { EventLog } from '../log/event-log.ts';
import type { HeldState } from '../operations/handler.ts';
import type { Caller } from '../access/call.ts';
import { nodeByKey } from '../store/engines/postgres-nodes.ts';
import type { Sql } from '../store/sql.ts';
import type { NodeCalls } from './node-calls.ts';
import type { Peers } from './peers.ts';

export interface ForwardingRooms {
  readonly read: Sql;
  readonly log: EventLog;
  readonly streams: LiveStreams;
  readonly replicas: ReplyReplicas;
  readonly inlineQueries: InlineQueries;
  /** Runs the operation on this node. */
  readonly perform: (forwarded: Forwarded) => Promise<string | undefined>;
}

/** Sends operations to the node that can perform them (CLUSTER-4, CLUSTER-5, CLUSTER-7). */
export class Forwarding {
  readonly #rooms: ForwardingRooms;
  readonly #calls: NodeCalls;
  readonly #peers: Peers;

  constructor(rooms: ForwardingRooms, calls: NodeCalls, peers: Peers) {
    this.#rooms = rooms;
    this.#calls = calls;
    this.#peers = peers;
  }

  /** Resolves with the answer of another node; undefined for an operation that this node performs. */
  readonly forward: Forward = (state, forwarded) => {
    const place = this.#placeOf(state, forwarded.caller);
    if (place === 'here') return undefined;
    if (place === 'unknown') return this.#find(state, forwarded);
    return state.kind === 'socket' ? this.#askNodeOfSocket(place, forwarded) : this.#ask(place, forwarded);
  };

  /**
   * For a reply or query that is unknown here: it may have begun on another node, and the caller may know of it before
   * this node's log has reached it (CLUSTER-1).
   */
  async #find(state: HeldState, forwarded: Forwarded): Promise<string | undefined> {
    await this.#rooms.log.catchUp();
    const place = this.#placeOf(state, forwarded.caller);
    if (typeof place === 'number') return this.#ask(place, forwarded);
    return this.#rooms.perform(forwarded);
  }

  /** Forwards to a socket's node. If that node is dead, the socket counts as unknown (CLUSTER-7). */
  async #askNodeOfSocket(node: number, forwarded: Forwarded): Promise<string | undefined> {
    try {
      return await this.#ask(node, forwarded);
    } catch (error) {
      const isUnknown = error instanceof ServiceError && error.code === 'unavailable';
      if (!isUnknown || (await this.#rooms.read.get(nodeByKey, node))) throw error;
      throw notFound('socket');
    }
  }

  #ask(node: number, forwarded: Forwarded): Promise<string | undefined> {
    // On that node `perform` resolves with JSON text or undefined.
    return this.#calls.ask(node, 'operation', forwarded) as Promise<string | undefined>;
  }

  /** The node that has the reply, query or socket. A socket that no node has is looked for here. */
  #placeOf({ kind, id }: HeldState, caller: Caller): number | 'here' | 'unknown' {
    const { replicas, streams, inlineQueries } = this.#rooms;
    if (kind === 'socket') return this.#peers.nodeOfSocket(id) ?? 'here';
    if (kind === 'reply') return streams.find(id) ? 'here' : (replicas.ownerOf(id) ?? 'unknown');
    return inlineQueries.isHere(id) ? 'here' : (inlineQueries.ownerOf(caller.key, id) ?? 'unknown');
  }
}
