// operations/: one file per operation, named as in the URL. Imports the rooms of the domain, not units.
import type { Input, OperationName, Result } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { type LockRule, withLocks } from '../commits/unit-locks.ts';
import type { Renderable } from '../core/json.ts';
import type { Call, Caller } from '../access/call.ts';
import type { Awaitable } from '../store/sql.ts';
import type { Rooms } from './rooms.ts';

/** A call on the main thread, with the read connection as `tx`. */
export interface ReadCall extends Call {
  /** The caller's address; empty if another node admitted and forwarded the call. */
  readonly address: string;
  /** The id of the calling socket; undefined over HTTP, and if the socket is on another node. */
  readonly socketId: string | undefined;
  /** When the calling socket was opened, on any node; null over HTTP. */
  readonly socketOpenedAt: number | null;
}

/** A call before its unit; `caller` is null only for an open operation without a token. */
export interface OpenCall extends Omit<Call, 'caller'> {
  readonly caller: Caller | null;
  readonly address: string;
}

/** The result of an operation; void if it answers only `{ ok: true }`. */
type Answer<Name extends OperationName> = Result<Name> extends undefined ? void : Renderable<Result<Name>>;

export interface UnitOperation<Name extends OperationName = OperationName, Prepared = unknown> {
  readonly kind: 'unit';
  /** Slow work other than database statements, done on the main thread before the unit. */
  readonly prepare?: (call: OpenCall, input: Input<Name>, rooms: Rooms) => Awaitable<Prepared>;
  /** Whether this input needs no preparation; then the unit receives nothing prepared. */
  readonly isReady?: (input: Input<Name>) => boolean;
  /** Fields of the input that only `prepare` sees, such as passwords and keys. */
  readonly withheld?: readonly string[];
  readonly handle: ((call: UnitCall, input: Input<Name>, prepared: Prepared) => Awaitable<unknown>) & {
    /** The locks that the unit needs (CLUSTER-30). */
    readonly locks: LockRule;
  };
  /** Resolves with false for a call that will post no message: it counts towards the rate of writes (LIMIT-1). */
  readonly posts?: (call: ReadCall, input: Input<Name>) => Promise<boolean>;
  /** Builds the answer on the main thread from the unit's result, after its commit. */
  readonly respond?: (call: ReadCall, returned: unknown, rooms: Rooms) => Awaitable<Answer<Name>>;
}

export interface ReadOperation<Name extends OperationName = OperationName> {
  readonly kind: 'read';
  readonly isWrite?: true;
  /** The operation reaches other accounts, although it stores nothing. */
  readonly isRelay?: true;
  readonly handle: (call: ReadCall, input: Input<Name>, rooms: Rooms) => Awaitable<Answer<Name>>;
}

export type Handler<Name extends OperationName = OperationName> = UnitOperation<Name> | ReadOperation<Name>;

/** Whether calls count towards the caller's rates (LIMIT-1): those of operations that write or reach other accounts. */
export const isRated = (handler: Handler): boolean =>
  handler.kind === 'unit' || handler.isWrite === true || handler.isRelay === true;

interface Locks<Name extends OperationName> {
  locks: LockRule<Input<Name>>;
}

/** A writing operation whose unit returns its answer. */
export const unit = <Name extends OperationName>(
  _name: Name,
  { locks }: Locks<Name>,
  handle: (call: UnitCall, input: Input<Name>) => Awaitable<Answer<Name>>,
): UnitOperation<Name> => ({ kind: 'unit', handle: withLocks(locks, handle) });

/** A writing operation with slow work before its unit. */
export const preparedUnit = <Name extends OperationName, Prepared, Withheld extends keyof Input<Name> & string = never>(
  _name: Name,
  operation: {
    locks: LockRule<Omit<Input<Name>, Withheld>, NoInfer<Prepared>>;
    prepare: (call: OpenCall, input: Input<Name>, rooms: Rooms) => Awaitable<Prepared>;
    isReady?: (input: Input<Name>) => boolean;
    withheld?: readonly Withheld[];
    handle: (call: UnitCall, input: Omit<Input<Name>, Withheld>, prepared: Prepared) => Awaitable<Answer<Name>>;
  },
): UnitOperation<Name> => ({
  kind: 'unit',
  prepare: operation.prepare,
  ...(operation.isReady && { isReady: operation.isReady }),
  ...(operation.withheld && { withheld: operation.withheld }),
  // `handle` receives the result of `prepare`, whose type is not visible here.
  handle: withLocks(operation.locks, operation.handle) as UnitOperation<Name>['handle'],
});

/** A writing operation whose answer is built on the main thread after the unit's commit. */
export const unitThen = <Name extends OperationName, Returned>(
  _name: Name,
  { locks }: Locks<Name>,
  handle: (call: UnitCall, input: Input<Name>) => Awaitable<Returned>,
  respond: (call: ReadCall, returned: Returned, rooms: Rooms) => Awaitable<Answer<Name>>,
): UnitOperation<Name> => ({
  kind: 'unit',
  handle: withLocks(locks, handle),
  // `respond` receives the result of `handle`, whose type is not visible here.
  respond: respond as NonNullable<UnitOperation<Name>['respond']>,
});

/** A reading operation, which runs on the main thread. */
export const read = <Name extends OperationName>(
  _name: Name,
  handle: ReadOperation<Name>['handle'],
): ReadOperation<Name> => ({ kind: 'read', handle });

/**
 * An operation that changes the service's memory: it runs on the main thread, in order with its socket's writes
 * (SOCKET-4).
 */
export const live = <Name extends OperationName>(
  _name: Name,
  handle: ReadOperation<Name>['handle'],
): ReadOperation<Name> => ({ kind: 'read', isWrite: true, handle });

/** An operation that waits for the answer of another account's client, without delaying its socket's writes. */
export const relay = <Name extends OperationName>(
  _name: Name,
  handle: ReadOperation<Name>['handle'],
): ReadOperation<Name> => ({ kind: 'read', isRelay: true, handle });
