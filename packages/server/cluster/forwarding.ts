import type { Input, OperationName } from '@parley/protocol';
import type { InlineQueries } from '../agents/inline-queries.ts';
import type { LiveStreams } from '../replies/live-streams.ts';
import type { ReplyReplicas } from '../replies/reply-replicas.ts';
import type { Forward } from '../calls/dispatch.ts';
import { notFound, ServiceError } from '../core/errors.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Caller } from '../store/call.ts';
import { nodeByKey } from '../store/engines/postgres-nodes.ts';
import type { Sql } from '../store/sql.ts';
import type { NodeCalls } from './node-calls.ts';
import type { Peers } from './peers.ts';

const isAboutSocket = (name: OperationName): boolean => name === 'getUpdates' || name === 'wsFocus';

/** An operation on its way to the node that has its open reply, inline query or socket. */
export interface Forwarded {
  name: OperationName;
  input: object;
  caller: Caller;
  /** When the calling socket was opened; null over HTTP. */
  socketOpenedAt: number | null;
}

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
  readonly forward: Forward = (name, input, caller, socketOpenedAt) => {
    const place = this.#placeOf(name, input, caller);
    if (place === undefined || place === 'here') return undefined;
    const forwarded = { name, input, caller, socketOpenedAt };
    if (isAboutSocket(name)) return this.#askNodeOfSocket(Number(place), forwarded);
    return place === 'unknown' ? this.#find(forwarded) : this.#ask(place, forwarded);
  };

  /**
   * For a reply or query that is unknown here: it may have begun on another node, and the caller may know of it before
   * this node's log has reached it (CLUSTER-1).
   */
  async #find(forwarded: Forwarded): Promise<string | undefined> {
    const { name, input, caller } = forwarded;
    await this.#rooms.log.catchUp();
    const place = this.#placeOf(name, input, caller);
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

  /** The node that owns the reply, query or socket that the operation names; undefined if any node can perform it. */
  #placeOf(name: OperationName, input: object, caller: Caller): number | 'here' | 'unknown' | undefined {
    const { replicas, streams, inlineQueries } = this.#rooms;
    switch (name) {
      case 'appendMessageStream':
      case 'finishMessageStream': {
        const { message_id: id } = input as Input<typeof name>; // as this operation's declaration parsed it
        return streams.find(id) ? 'here' : (replicas.ownerOf(id) ?? 'unknown');
      }
      case 'answerInlineQuery': {
        const { query_id: id } = input as Input<typeof name>; // as above
        return inlineQueries.isHere(id) ? 'here' : (inlineQueries.ownerOf(caller.key, id) ?? 'unknown');
      }
      case 'getUpdates':
      case 'wsFocus':
        return this.#peers.nodeOfSocket((input as Input<typeof name>).socket); // as above
      default:
        return undefined;
    }
  }
}
