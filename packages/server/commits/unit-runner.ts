import type { ErrorCode, ErrorParameters } from '@parley/protocol';
import type { Caller } from '../access/call.ts';
import type { Held } from '../core/held-thread.ts';
import type { Effect } from './effects.ts';

/** A request to run a unit, as sent to the store: plain data. */
export interface UnitRequest {
  id: number;
  /** The name of an operation or of an internal unit (units/). */
  name: string;
  caller: Caller;
  input: unknown;
  prepared?: unknown;
  now: number;
  /** The caller's network address; absent if it is not known, and in the service's own units. */
  address?: string | undefined;
}

/** The outcome of a unit. `result` is JSON text, or the index of the effect whose params are the same text. */
export type UnitOutcome =
  | { id: number; ok: true; result: string | number | undefined; effects: Effect[] }
  | { id: number; ok: false; code: ErrorCode; message: string; parameters: ErrorParameters | undefined };

/** The outcome of one commit of several units; handed over only when it is durable. */
export interface Batch {
  outcomes: UnitOutcome[];
  /** Number of waiting transient events that got numbers, which are published before this batch's events. */
  granted: number;
  firstGranted: number;
  /** The last number taken for this batch, even if the batch then failed; 0 if none was taken. */
  lastSeq: number;
  /** Messages of internal errors, for the log. */
  faults: string[];
}

/** The port: runs units, and hands over each batch after its commit. */
export interface UnitRunner {
  post(requests: UnitRequest[]): void;
  onBatch: (batch: Batch) => void;
  onFailure: (error: Error) => void;
  /** Called by a runner with a thread of its own, for each callback that held it (OPS-7). */
  onHeld?: (held: Held) => void;
  /** Waits for posted units, then closes the engine; a second call changes nothing. */
  close(): Promise<void>;
}
