// engines/: what a service keeps its data in, and whom it shares it with. `embedded.ts` is one process and its files.
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { EventLog, PublishedEvent } from '../events/event-log.ts';
import type { FileStorage } from '../files/storage.ts';
import type { MessageSearch } from '../search/message-search.ts';
import type { Settings } from '../settings.ts';
import type { startStoreThread } from '../store/engines/sqlite-thread.ts';
import type { Awaitable, Sql } from '../store/sql.ts';
import type { InternalUnits } from '../units/index.ts';
import type { UnitRunner } from '../units.ts';

/** Runs one of the service's own units, and answers what it returned. */
export type RunUnit = <Name extends keyof InternalUnits>(
  name: Name,
  input: Parameters<InternalUnits[Name]>[1],
) => Promise<unknown>;

/** What the engine tells the service, and asks of it. */
export interface EnginePorts {
  config: Config;
  settings: Settings;
  clock: Clock;
  /** An event has its place: its frames go out. */
  publish: (event: PublishedEvent) => void;
  run: RunUnit;
  onFault: (error: unknown, what: string) => void;
  /** Runs the units of work of the embedded engine. */
  startStore: typeof startStoreThread;
}

/** What the log needs from time to time to stay fast and small. */
export interface LogUpkeep {
  /** Called about once a second; never does the same thing twice at once. */
  tend(now: number): Promise<void>;
  /** Makes what was written lately fast to read. */
  index(): Promise<void>;
  /** Forgets events up to and including this number. */
  trim(through: number): Promise<void>;
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
}
