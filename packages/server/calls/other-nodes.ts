import { randomUUID } from 'node:crypto';
import type { Subscription } from '../log/caps.ts';
import type { Awaitable } from '../store/sql.ts';

/** The other nodes of the installation, as far as this one needs to know of them. */
export interface OtherNodes {
  /** False while something waits to be asked of them, or shown to them. */
  readonly isIdle: boolean;
  /** True for an account with a live socket on another node. */
  isLive(accountKey: number): boolean;
  /** As `isLive`, but asks where nothing is known: a socket may have come this moment. */
  findLive(accountKey: number): Awaitable<boolean>;
  /** When it was heard from there last; null without one. */
  heardAt(accountKey: number): number | null;
  /** When the sockets that it has there were opened, as far as that is known (SOCKET-11). */
  openedAt(accountKey: number): readonly number[];
  /** What the sockets that were opened there with a token of this caller receive; null while a node does not answer (LOG-18). */
  subscriptionsOf(accountKey: number, sessionKey: number | null): Awaitable<readonly Subscription[] | null>;
  /** An account has come to this node with one more socket. */
  came(accountKey: number): void;
  /** … and one of them is gone. */
  went(accountKey: number, heardAt: number, isClean: boolean): void;
  /** For a socket that comes to this node: the others read in it where it is. */
  newSocketId(): string;
  /** A bot has made a call here over HTTP: others may have its open streams (STREAM-7). */
  botCalled(agentKey: number): void;
  /** Requests the open replies of these nodes whole: some of their deltas were lost. */
  askForStreams(nodes: Iterable<number>): void;
  /** An inline query that was asked here waits no more. */
  queryEnded(id: string): void;
  /** Nothing more is told. */
  close(): void;
}

/** Of a service that is one process alone. */
export const nobodyElse: OtherNodes = {
  isIdle: true,
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
