// operations/: one file per operation, named as in the URL. Imports the rooms of the domain, not units.
import { type Input, leastRole, type OperationName, operations, type Result } from '@parley/protocol';
import { audited, type AuditEntry, type AuditRule } from '../commits/audit.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { type LockRule, withLocks } from '../commits/unit-locks.ts';
import type { ServiceError } from '../core/errors.ts';
import { requireRole } from '../people/administer.ts';
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
  /** The cookie of a browser that has begun a sign-in at an issuer; undefined over the WebSocket (OIDC-3). */
  readonly browser: string | undefined;
}

/**
 * Whether a call adds data, which is refused while the disk is full (LIMIT-23): what ends, removes or reads something,
 * or signs in, adds none.
 */
type AddsData<Name extends OperationName> = boolean | ((input: Input<Name>) => boolean);

/** The result of an operation; void if it answers only `{ ok: true }`. */
type Answer<Name extends OperationName> = Result<Name> extends undefined ? void : Renderable<Result<Name>>;

interface UnitOperation<Name extends OperationName = OperationName, Prepared = unknown> {
  readonly kind: 'unit';
  readonly addsData: AddsData<Name>;
  /** Slow work other than database statements, done on the main thread before the unit. */
  readonly prepare?: (call: OpenCall, input: Input<Name>, rooms: Rooms) => Awaitable<Prepared>;
  /** Whether this input needs no preparation; then the unit receives nothing prepared. */
  readonly isReady?: (input: Input<Name>) => boolean;
  /** Fields of the input that only `prepare` sees, such as passwords and keys. */
  readonly withheld?: readonly string[];
  readonly handle: ((call: UnitCall, input: Input<Name>, prepared: Prepared) => Awaitable<unknown>) & {
    /** The locks that the unit needs (CLUSTER-30). */
    readonly locks: LockRule;
    /** Whether it writes a row of the audit (AUDIT-2). */
    readonly isAudited: boolean;
  };
  /** The row of the audit for a call that was refused; null for none, as without it (AUDIT-6). */
  readonly auditRefusal?: AuditRefusal<Name>;
  /** The number of messages that a call with these unchecked params posts at most; 1 by default (LIMIT-1). */
  readonly messageCount?: (params: unknown) => number;
  /** Resolves with false for a call that will post no message: it counts towards the rate of writes (LIMIT-1). */
  readonly posts?: (call: ReadCall, input: Input<Name>) => Promise<boolean>;
  /** Builds the answer on the main thread from the unit's result, after its commit. */
  readonly respond?: (call: ReadCall, returned: unknown, rooms: Rooms) => Awaitable<Answer<Name>>;
}

/** `input` contains withheld fields too: a row contains none of them. */
type AuditRefusal<Name extends OperationName> = (error: ServiceError, input: Input<Name>) => AuditEntry | null;

/** What a call works on that only one node has in memory. */
export interface HeldState {
  readonly kind: 'reply' | 'inlineQuery' | 'socket';
  readonly id: string;
}

export interface ReadOperation<Name extends OperationName = OperationName> {
  readonly kind: 'read';
  readonly addsData: AddsData<Name>;
  readonly isWrite?: true;
  /** The operation reaches other accounts, although it stores nothing. */
  readonly isRelay?: true;
  /** Waits for the caller's socket or for a bot, so it does not count as a page that the socket asked for. */
  readonly waits?: true;
  /**
   * What the call works on that only one node has in memory: that node performs the call (CLUSTER-4). Without it the node
   * that received the call performs it.
   */
  readonly worksOn?: (input: Input<Name>) => HeldState | undefined;
  readonly handle: (call: ReadCall, input: Input<Name>, rooms: Rooms) => Awaitable<Answer<Name>>;
}

export type Handler<Name extends OperationName = OperationName> = UnitOperation<Name> | ReadOperation<Name>;

export const addsData = <Name extends OperationName>(
  handler: Pick<Handler<Name>, 'addsData'>,
  input: Input<Name>,
): boolean => (typeof handler.addsData === 'function' ? handler.addsData(input) : handler.addsData);

/** The policy of a unit beside its declaration's: what depends on its input or on the rows that it writes. */
interface UnitPolicy<Name extends OperationName> extends Pick<UnitOperation<Name>, 'messageCount'> {
  locks: LockRule<Input<Name>>;
  /** A new unit adds data unless it says otherwise. */
  addsData?: AddsData<Name>;
}

/** What the row of the audit says of a call: without it a unit writes none, and `audit.test.ts` says why (AUDIT-2). */
interface Audits<Given, Returned> {
  audit?: AuditRule<Given, Returned>;
}

type Handle = (call: UnitCall, input: never, prepared: never) => unknown;

/**
 * Makes the unit of an operation that is closed to some role look at the caller's role once more: the caller may have lost
 * it since the call was admitted (ROLE-4).
 */
function withRole<Unit extends Handle>(name: OperationName, handle: Unit): Unit {
  const least = leastRole(operations[name].policy);
  if (least === 'guest') return handle;
  const unit = async (call: UnitCall, input: never, prepared: never) => {
    await requireRole(call, least);
    return handle(call, input, prepared);
  };
  // It takes and returns what `handle` does; a unit's result is awaited, so a promise of it is one as well.
  return unit as unknown as Unit;
}

/** A writing operation whose unit returns its answer. */
export const unit = <Name extends OperationName>(
  name: Name,
  { locks, audit, addsData = true, ...policy }: UnitPolicy<Name> & Audits<Input<Name>, Result<Name>>,
  handle: (call: UnitCall, input: Input<Name>) => Awaitable<Answer<Name>>,
): UnitOperation<Name> => ({
  kind: 'unit',
  addsData,
  ...policy,
  handle: withLocks(locks, audited(name, audit, withRole(name, handle))),
});

/** A writing operation with slow work before its unit. */
export const preparedUnit = <Name extends OperationName, Prepared, Withheld extends keyof Input<Name> & string = never>(
  name: Name,
  {
    locks,
    audit,
    addsData = true,
    handle,
    ...operation
  }: Pick<UnitOperation<Name>, 'posts' | 'auditRefusal'> &
    Audits<Omit<Input<Name>, Withheld>, Result<Name>> & {
      addsData?: AddsData<Name>;
      locks: LockRule<Omit<Input<Name>, Withheld>, NoInfer<Prepared>>;
      prepare: (call: OpenCall, input: Input<Name>, rooms: Rooms) => Awaitable<Prepared>;
      isReady?: (input: Input<Name>) => boolean;
      withheld?: readonly Withheld[];
      handle: (call: UnitCall, input: Omit<Input<Name>, Withheld>, prepared: Prepared) => Awaitable<Answer<Name>>;
    },
): UnitOperation<Name> => ({
  kind: 'unit',
  addsData,
  ...operation,
  // `handle` receives the result of `prepare`, whose type is not visible here.
  handle: withLocks(locks, audited(name, audit, withRole(name, handle))) as UnitOperation<Name>['handle'],
});

/** A writing operation whose answer is built on the main thread after the unit's commit. */
export const unitThen = <Name extends OperationName, Returned>(
  name: Name,
  { locks, audit, addsData = true, ...policy }: UnitPolicy<Name> & Audits<Input<Name>, NoInfer<Returned>>,
  handle: (call: UnitCall, input: Input<Name>) => Awaitable<Returned>,
  respond: (call: ReadCall, returned: Returned, rooms: Rooms) => Awaitable<Answer<Name>>,
): UnitOperation<Name> => ({
  kind: 'unit',
  addsData,
  ...policy,
  handle: withLocks(locks, audited(name, audit, withRole(name, handle))),
  // `respond` receives the result of `handle`, whose type is not visible here.
  respond: respond as NonNullable<UnitOperation<Name>['respond']>,
});

/**
 * A writing operation of administrators that answers nothing. Its unit returns whether it has changed anything: what
 * changes nothing has no row in the audit (AUDIT-1).
 */
export const changingUnit = <Name extends OperationName>(
  name: Name,
  { audit, ...policy }: UnitPolicy<Name> & { audit: (input: Input<Name>) => AuditEntry },
  handle: (call: UnitCall, input: Input<Name>) => Awaitable<boolean>,
): UnitOperation<Name> =>
  unitThen<Name, boolean>(
    name,
    { ...policy, audit: (input, isChanged) => (isChanged ? audit(input) : null) },
    handle,
    // An operation without a result answers nothing.
    () => undefined as Answer<Name>,
  );

/** A writing operation with slow work before its unit, whose answer is built on the main thread after the commit. */
export const preparedUnitThen = <
  Name extends OperationName,
  Prepared,
  Returned,
  Withheld extends keyof Input<Name> & string = never,
>(
  name: Name,
  {
    locks,
    audit,
    addsData = true,
    prepare,
    withheld = [],
    handle,
  }: Audits<Omit<Input<Name>, Withheld>, NoInfer<Returned>> & {
    addsData?: AddsData<Name>;
    locks: LockRule<Omit<Input<Name>, Withheld>, NoInfer<Prepared>>;
    prepare: (call: OpenCall, input: Input<Name>, rooms: Rooms) => Awaitable<Prepared>;
    withheld?: readonly Withheld[];
    handle: (call: UnitCall, input: Omit<Input<Name>, Withheld>, prepared: Prepared) => Awaitable<Returned>;
  },
  respond: (call: ReadCall, returned: Returned, rooms: Rooms) => Awaitable<Answer<Name>>,
): UnitOperation<Name> => ({
  kind: 'unit',
  addsData,
  prepare,
  ...(withheld.length > 0 && { withheld }),
  // Both receive what the one before returned, whose types are not visible here.
  handle: withLocks(locks, audited(name, audit, withRole(name, handle))) as UnitOperation<Name>['handle'],
  respond: respond as NonNullable<UnitOperation<Name>['respond']>,
});

type ReadPolicy<Name extends OperationName> = Pick<ReadOperation<Name>, 'addsData' | 'waits' | 'worksOn'>;

/** A reading operation, which runs on the main thread. */
export const read = <Name extends OperationName>(
  _name: Name,
  handle: ReadOperation<Name>['handle'],
  policy: Omit<ReadPolicy<Name>, 'addsData'> = {},
): ReadOperation<Name> => ({ kind: 'read', addsData: false, ...policy, handle });

/**
 * An operation that changes the service's memory: it runs on the main thread, in order with its socket's writes
 * (SOCKET-4).
 */
export const live = <Name extends OperationName>(
  _name: Name,
  policy: ReadPolicy<Name>,
  handle: ReadOperation<Name>['handle'],
): ReadOperation<Name> => ({ kind: 'read', isWrite: true, ...policy, handle });

/** An operation that waits for the answer of another account's client, without delaying its socket's writes. */
export const relay = <Name extends OperationName>(
  _name: Name,
  policy: ReadPolicy<Name>,
  handle: ReadOperation<Name>['handle'],
): ReadOperation<Name> => ({ kind: 'read', isRelay: true, ...policy, handle });
