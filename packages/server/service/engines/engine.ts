// engines/: what a service keeps its data in, and whom it shares it with. `embedded.ts` is one process and its files.
import type { Forward } from '../../calls/dispatch.ts';
import type { ForwardingRooms } from '../../cluster/forwarding.ts';
import type { MemberRooms } from '../../cluster/membership.ts';
import type { ForeignListener } from '../../log/engines/cluster-log.ts';
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
import type { Awaitable, Sql } from '../../store/sql.ts';
import type { InternalUnits } from '../../units/index.ts';
import type { UnitRunner } from '../../commits/unit-runner.ts';

export type OwnUnits = UnitCallers<InternalUnits>;

/** What an engine is made with. */
export interface EnginePorts {
  config: Config;
  settings: Settings;
  clock: Clock;
  /** An event has its place in the log: its frames go out. */
  publish: (event: PublishedEvent) => void;
  /** The sockets that see this scope have missed this number. */
  skip: (scope: Scope, seq: number) => void;
  onFault: (error: unknown, what: string) => void;
  /** Starts the thread that runs the units of the embedded engine. */
  startStore: StartStore;
  /** Wraps what the main thread reads through: a test makes its answers late. */
  wrapRead: (read: Sql) => Sql;
}

export interface Engine {
  /** What is committed. */
  readonly read: Sql;
  readonly log: EventLog;
  readonly runner: UnitRunner;
  readonly storage: FileStorage;
  upkeep(units: OwnUnits): LogUpkeep;
  openSearch(units: OwnUnits): Promise<MessageSearch>;
  /** False while the store does not answer (OPS-1). */
  isReady(): Awaitable<boolean>;
  /** Closes what is left once the units have ended. */
  close(): Promise<void>;
  /** Null for one process alone. */
  readonly shared: SharedEngine | null;
}

/** What an engine has that several nodes share. */
export interface SharedEngine {
  /** True on one of the nodes, as a rule: it does what need be done once. */
  readonly isLead: boolean;
  /** Counts calls on all nodes together. */
  readonly rateBuckets: RateBuckets;
  /** Statements that the database was asked to read with. */
  readonly reads: number;
  /** False while the others may be about to give this node up (CLUSTER-39). */
  isSure(): Promise<boolean>;
  /** The clock of all nodes less this machine's. */
  readonly clockOffsetMs: number;
  /** What this node asks of the others, and knows of them. */
  readonly others: OtherNodes;
  forwarding(rooms: ForwardingRooms): Forward;
  /** Hears the other nodes from now on, and tells them of this one. */
  join(rooms: MemberRooms, listener: ForeignListener): Promise<void>;
}
