import { randomUUID } from 'node:crypto';
import type { EventFilter } from '../log/caps.ts';
import type { Awaitable } from '../store/sql.ts';

/** What this node needs from the other nodes of the installation. */
export interface OtherNodes {
  /** False while a request to other nodes or a publication for them is pending. */
  readonly isIdle: boolean;
  /** How many nodes of the installation are alive, this one included. */
  countNodes(): number;
  /** Whether an account has a live socket on another node. */
  isLive(accountKey: number): boolean;
  /** Like `isLive`, but asks the other nodes if none has reported a socket, because one may have just been opened. */
  findLive(accountKey: number): Awaitable<boolean>;
  /** When the account was last heard from on another node; null if never. */
  heardAt(accountKey: number): number | null;
  /** When the account's sockets on other nodes were opened, as far as that is known (SOCKET-11). */
  openedAt(accountKey: number): readonly number[];
  /** The filters of the caller's sockets on other nodes; null if a node does not answer (LOG-18). */
  subscriptionsOf(accountKey: number, sessionKey: number | null): Awaitable<readonly EventFilter[] | null>;
  /** To be called when an account has opened a socket on this node. */
  came(accountKey: number): void;
  /** To be called when a socket of an account on this node has closed. */
  went(accountKey: number, heardAt: number, isClean: boolean): void;
  /** An id for a new socket on this node; other nodes can tell from it where the socket is. */
  newSocketId(): string;
  /** To be called when a bot calls this node over HTTP: other nodes may have its open streams (STREAM-7). */
  botCalled(agentKey: number): void;
  /** Requests snapshots of the open replies of these nodes, because deltas were lost. */
  askForStreams(nodes: Iterable<number>): void;
  /** To be called when an inline query of this node no longer waits for an answer. */
  queryEnded(id: string): void;
  /** Stops all reports to other nodes. */
  close(): void;
}

/** Used by a service that is a single process. */
export const singleNode: OtherNodes = {
  isIdle: true,
  countNodes: () => 1,
  isLive: () => false,
  findLive: () => false,
  heardAt: () => null,
  openedAt: () => [],
  subscriptionsOf: () => [],
  came: () => {},
  went: () => {},
  newSocketId: () => randomUUID(),
  botCalled: () => {},
  askForStreams: () => {},
  queryEnded: () => {},
  close: () => {},
};
