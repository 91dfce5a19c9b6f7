// commits/: units of work: what a unit receives, its locks, the runners of both engines. Imports secrets and below.
import type { Call } from '../access/call.ts';
import type { Awaitable } from '../store/sql.ts';
import type { Emitted, Intent } from './effects.ts';

/** What a unit of work receives. The unit checks, writes, emits events, leaves intents and returns. */
export interface UnitCall extends Call {
  /** Key of the node that runs the unit; 0 in a single process. */
  readonly node: number;
  /** The network address from which the caller called; undefined if it is not known, and in the service's own units. */
  readonly address: string | undefined;
  /** Returns the 16 bytes of a new UUIDv7. */
  newId(): Uint8Array;
  emit(event: Emitted): void;
  intend(intent: Intent): void;
  /** Resolves when what is read next includes the writes of all earlier units with the same locks (CLUSTER-52). */
  inTurn(): Awaitable<void>;
  /** Refuses the account's units from the next unit on, or admits them again (AUTH-18). */
  shutOut(accountKey: number, isOut: boolean): void;
}
