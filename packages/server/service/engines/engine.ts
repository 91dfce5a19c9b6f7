// engines/: the two ways to store the data: `embedded-engine.ts` in files of one process, `cluster-engine.ts` shared by
// several nodes.
import type { Forward } from '../../calls/dispatch.ts';
import type { ForwardingRooms } from '../../cluster/forwarding.ts';
import type { MemberRooms } from '../../cluster/membership.ts';
import type { ForeignListener, HeardCounts } from '../../log/engines/cluster-log.ts';
import type { Clock } from '../../core/clock.ts';
import type { OtherNodes } from '../../calls/other-nodes.ts';
import type { Config } from '../config.ts';
import type { UnitCallers } from '../../commits/unit-callers.ts';
import type { LogUpkeep } from '../../log/log-upkeep.ts';
import type { EventLog, PublishedEvent } from '../../log/event-log.ts';
import type { Scope } from '../../core/event-kinds.ts';
import type { FileStorage } from '../../files/storage.ts';
import type { MessageSearch } from '../../search/message-search.ts';
import type { RateBuckets } from '../../calls/rate-buckets.ts';
import type { Settings } from '../../core/settings.ts';
import type { StartStore } from '../../commits/engines/sqlite-thread.ts';
import type { AccountTexts } from '../../rendering/account-texts.ts';
import type { Awaitable, Sql } from '../../store/sql.ts';
import type { InternalUnits } from '../../units/index.ts';
import type { UnitRunner } from '../../commits/unit-runner.ts';

export type OwnUnits = UnitCallers<InternalUnits>;

/** What an engine needs from the service. */
export interface EngineOptions {
  config: Config;
  settings: Settings;
  clock: Clock;
  /** Sends the frames of an event after it has got its number; false if no account with a live socket here may see it. */
  publish: (event: PublishedEvent) => boolean;
  /** Marks this number as missed by the sockets that receive this scope. */
  skip: (scope: Scope, seq: number) => void;
  onFault: (error: unknown, what: string) => void;
  /** Starts the thread that runs the units of the embedded engine. */
  startStore: StartStore;
  /** Wraps the main thread's reads; lets a test delay them. */
  wrapRead: (read: Sql) => Sql;
}

export interface Engine {
  /** Reads committed data that is on the disk. */
  readonly read: Sql;
  /** Reads committed data at once; what is made of it may leave the service after `flushed` (STORE-13). */
  readonly readNow: Sql;
  /** Waits until everything that was read so far is on the disk. */
  flushed(): Awaitable<void>;
  /** Accounts rendered from reads; cached only if this process learns of every change to an account. */
  readonly accounts: AccountTexts;
  readonly log: EventLog;
  readonly runner: UnitRunner;
  readonly storage: FileStorage;
  upkeep(units: OwnUnits): LogUpkeep;
  openSearch(units: OwnUnits): Promise<MessageSearch>;
  /** False while the store does not answer (OPS-1). */
  isReady(): Awaitable<boolean>;
  /** Closes all connections and files; called after the units have ended. */
  close(): Promise<void>;
  /** Null for a single process. */
  readonly shared: SharedEngine | null;
}

/** The additional parts of an engine that several nodes share. */
export interface SharedEngine {
  /**
   * True on the node that does the work that only one node needs to do. While the lead moves to another node, it may be
   * true on no node, or on two.
   */
  readonly isLead: boolean;
  /** Counts calls on all nodes together. */
  readonly rateBuckets: RateBuckets;
  /** Number of read statements sent to the database. */
  readonly reads: number;
  readonly heard: Readonly<HeardCounts>;
  /** False while the other nodes may be about to declare this node dead (CLUSTER-39). */
  isSure(): Promise<boolean>;
  /** How far the database's clock, which all nodes use, is ahead of this machine's as that was at the start. */
  readonly clockCorrectionMs: number;
  /** Calls to the other nodes, and what they have reported. */
  readonly others: OtherNodes;
  forwarding(rooms: ForwardingRooms): Forward;
  /** Joins the cluster: starts to receive the other nodes' messages, and announces this node. */
  join(rooms: MemberRooms, listener: ForeignListener): Promise<void>;
}
