// engines/: what a service keeps its data in, and whom it shares it with. `embedded.ts` is one process and its files.
import type { Clock } from '../../core/clock.ts';
import type { ToldEvent } from '../../log/batch-payload.ts';
import type { OtherNodes } from '../../calls/other-nodes.ts';
import type { Config } from '../config.ts';
import type { UnitCallers } from '../../commits/unit-callers.ts';
import type { LogUpkeep } from '../../log/log-upkeep.ts';
import type { Intent } from '../../commits/effects.ts';
import type { EventLog, PublishedEvent } from '../../log/event-log.ts';
import type { Scope } from '../../core/event-kinds.ts';
import type { FileStorage } from '../../files/storage.ts';
import type { MessageSearch } from '../../search/message-search.ts';
import type { RateBuckets } from '../../calls/rate-buckets.ts';
import type { Service } from '../service.ts';
import type { Settings } from '../../core/settings.ts';
import type { startStoreThread } from '../../commits/engines/sqlite-thread.ts';
import type { Awaitable, Sql } from '../../store/sql.ts';
import type { InternalUnits } from '../../units/index.ts';
import type { UnitRunner } from '../../commits/unit-runner.ts';

/** What the engine tells the service, and asks of it. */
export interface EnginePorts {
  config: Config;
  settings: Settings;
  clock: Clock;
  /** An event has its place: its frames go out. */
  publish: (event: PublishedEvent) => void;
  /** Nobody here was told of something in this scope. */
  skip: (scope: Scope, seq: number) => void;
  /** Another node has told an event; false where nobody here is to be told. */
  heard: (event: ToldEvent, node: number) => boolean;
  /** What a unit of another node has left for all. */
  applyShared: (intent: Intent, node: number) => void;
  units: UnitCallers<InternalUnits>;
  onFault: (error: unknown, what: string) => void;
  /** Runs the units of work of the embedded engine. */
  startStore: typeof startStoreThread;
  /** What is read here, as a test has it. */
  wrapRead: (read: Sql) => Sql;
}

export interface Engine {
  /** What is committed. */
  readonly read: Sql;
  readonly log: EventLog;
  readonly runner: UnitRunner;
  readonly upkeep: LogUpkeep;
  readonly search: MessageSearch;
  readonly storage: FileStorage;
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
  /** From now on the others are heard, and hear of this node. */
  join(service: Service): Promise<OtherNodes>;
}
