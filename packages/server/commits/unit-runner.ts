import type { ErrorCode, ErrorParameters } from '@parley/protocol';
import type { Caller } from '../store/call.ts';
import type { Effect } from './effects.ts';

/** A unit of work as it travels to the store: data only. */
export interface UnitRequest {
  id: number;
  /** An operation's name, or that of one of the service's own units (units/). */
  name: string;
  caller: Caller;
  input: unknown;
  prepared?: unknown;
  now: number;
}

/** What became of a unit. `result` is JSON text, or the place of the effect whose params are the very same text. */
export type UnitOutcome =
  | { id: number; ok: true; result: string | number | undefined; effects: Effect[] }
  | { id: number; ok: false; code: ErrorCode; message: string; parameters: ErrorParameters | undefined };

/** One group commit: nothing of it is told before it is durable. */
export interface Batch {
  outcomes: UnitOutcome[];
  /** Numbers given to waiting transient events, to be published before this batch's events. */
  granted: number;
  firstGranted: number;
  /** The last number taken for this batch, also when it failed; 0 when none was. */
  lastSeq: number;
  /** Messages of internal errors, for the log. */
  faults: string[];
}

/** The port: runs units wherever the engine wants them, and hands over each batch once it is committed. */
export interface UnitRunner {
  post(requests: UnitRequest[]): void;
  onBatch: (batch: Batch) => void;
  onFailure: (error: Error) => void;
  /** Waits for what is posted, then closes the engine. */
  close(): Promise<void>;
}
