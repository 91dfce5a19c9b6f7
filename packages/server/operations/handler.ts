// operations/: one file per operation, named as in the URL. Imports the rooms of the domain, not units.
import type { Input, OperationName, Result } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { type LockRule, withLocks } from '../commits/unit-locks.ts';
import type { Renderable } from '../core/json.ts';
import type { Call, Caller } from '../store/call.ts';
import type { Awaitable } from '../store/sql.ts';
import type { Rooms } from './rooms.ts';

/** A call on the main thread, with the read connection as `tx`. */
export interface ReadCall extends Call {
  /** Where the call comes from; empty for one that another node has let in. */
  readonly address: string;
  /** The id of the calling socket; undefined over HTTP, and where the socket is another node's. */
  readonly socketId: string | undefined;
  /** When the calling socket was opened, on whichever node; null over HTTP. */
  readonly socketOpenedAt: number | null;
}

/** A call before its unit; `caller` is null only for an open operation without a token. */
export interface OpenCall extends Omit<Call, 'caller'> {
  readonly caller: Caller | null;
  readonly address: string;
}

/** Nothing where the operation answers `{ ok: true }` alone. */
type Answer<Name extends OperationName> = Result<Name> extends undefined ? void : Renderable<Result<Name>>;

export interface UnitOperation<Name extends OperationName = OperationName, Prepared = unknown> {
  readonly kind: 'unit';
  /** Slow work that is not the database's, done on the main thread before the unit. */
  readonly prepare?: (call: OpenCall, input: Input<Name>, rooms: Rooms) => Awaitable<Prepared>;
  /** Fields of the input, passwords and keys, that only `prepare` sees. */
  readonly withheld?: readonly string[];
  readonly handle: ((call: UnitCall, input: Input<Name>, prepared: Prepared) => Awaitable<unknown>) & {
    /** Which locks the unit needs (CLUSTER-30). */
    readonly locks: LockRule;
  };
  /** Resolves with false for a call that will post no message: it counts to the rate of writes, not of messages (LIMIT-1). */
  readonly posts?: (call: ReadCall, input: Input<Name>) => Promise<boolean>;
  /** Builds the answer on the main thread, after the unit is committed, from what it returned. */
  readonly respond?: (call: ReadCall, returned: unknown, rooms: Rooms) => Awaitable<Answer<Name>>;
}

export interface ReadOperation<Name extends OperationName = OperationName> {
  readonly kind: 'read';
  readonly isWrite?: true;
  /** Reaches other accounts, though it stores nothing. */
  readonly isRelay?: true;
  readonly handle: (call: ReadCall, input: Input<Name>, rooms: Rooms) => Awaitable<Answer<Name>>;
}

export type Handler<Name extends OperationName = OperationName> = UnitOperation<Name> | ReadOperation<Name>;

/** Whether calls count to the caller's rates (LIMIT-1): all do that write or reach other accounts. */
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
    withheld?: readonly Withheld[];
    handle: (call: UnitCall, input: Omit<Input<Name>, Withheld>, prepared: Prepared) => Awaitable<Answer<Name>>;
  },
): UnitOperation<Name> => ({
  kind: 'unit',
  prepare: operation.prepare,
  ...(operation.withheld && { withheld: operation.withheld }),
  // What prepare answered is what handle is given.
  handle: withLocks(operation.locks, operation.handle) as UnitOperation<Name>['handle'],
});

/** A writing operation that answers with a view, built on the main thread once the unit is committed. */
export const unitThen = <Name extends OperationName, Returned>(
  _name: Name,
  { locks }: Locks<Name>,
  handle: (call: UnitCall, input: Input<Name>) => Awaitable<Returned>,
  respond: (call: ReadCall, returned: Returned, rooms: Rooms) => Awaitable<Answer<Name>>,
): UnitOperation<Name> => ({
  kind: 'unit',
  handle: withLocks(locks, handle),
  // What handle returned is what respond is given.
  respond: respond as NonNullable<UnitOperation<Name>['respond']>,
});

/** An operation that reads: it runs on the main thread. */
export const read = <Name extends OperationName>(
  _name: Name,
  handle: ReadOperation<Name>['handle'],
): ReadOperation<Name> => ({ kind: 'read', handle });

/** One that acts on the service's memory: it runs there too, in the order of its socket's writes (SOCKET-4). */
export const live = <Name extends OperationName>(
  _name: Name,
  handle: ReadOperation<Name>['handle'],
): ReadOperation<Name> => ({ kind: 'read', isWrite: true, handle });

/** An operation that asks another account's client and waits for the answer: it does not hold up its socket's writes. */
export const relay = <Name extends OperationName>(
  _name: Name,
  handle: ReadOperation<Name>['handle'],
): ReadOperation<Name> => ({ kind: 'read', isRelay: true, handle });
