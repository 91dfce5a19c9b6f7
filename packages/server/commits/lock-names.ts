import { hash } from 'node:crypto';

/** A lock that a unit holds until it is committed: exclusive, or shared with other units that hold it as shared. */
export interface Lock {
  /** The hash of the name, a number as text: PostgreSQL's advisory locks have numbers. */
  readonly id: string;
  readonly isShared: boolean;
  /** True if the lock orders only the units of this node; it is not taken in PostgreSQL. */
  readonly isOwn: boolean;
  /** See `appending`. */
  readonly isAppend?: true;
}

/** Every batch takes this lock: shared, or exclusive for a unit that may touch any row. */
const EVERYTHING = '0';

/** Maximum number of remembered lock numbers; above it all are forgotten. */
const MAX_REMEMBERED = 20_000;
const numbers = new Map<string, string>();

function numberOf(name: string): string {
  let number = numbers.get(name);
  if (number === undefined) {
    number = hash('sha1', name, 'buffer').readBigInt64LE().toString();
    if (numbers.size === MAX_REMEMBERED) numbers.clear();
    numbers.set(name, number);
  }
  return number;
}

const lock = (name: string, isShared = false): Lock => ({ id: numberOf(name), isShared, isOwn: false });

/** A conversation, by its public id: no other unit changes rows in it. */
export const chat = (id: string): Lock => lock(`chat ${id.toLowerCase()}`);
/** A conversation that the unit only reads: no unit changes rows in it until this unit has ended. */
export const chatAsItIs = (id: string): Lock => lock(`chat ${id.toLowerCase()}`, true);
/** The rows that belong to one account. */
export const account = (key: number): Lock => lock(`account ${key}`);
/** A person and their bots, by the username of any of them: `alice` or `alice:helper`. */
export const household = (username: string): Lock => lock(`household ${username.split(':', 1)[0]}`);
/** Any other lock, by name. */
export const named = (name: string, isShared = false): Lock => lock(name, isShared);
/**
 * An exclusive lock that several units of one batch may hold: they read at the same time, and their first writes follow
 * each other in order (CLUSTER-52). Before such a unit reads what another may write, it must await `call.inTurn()`.
 */
export const appending = (exclusive: Lock): Lock => ({ ...exclusive, isAppend: true });
/** Makes the messages of one caller with one `client_msg_id` run one after another (MSG-4). */
export const sentOnce = (key: number, clientMsgId: string): Lock => ({
  id: `sent ${key} ${clientMsgId}`,
  isShared: false,
  isOwn: true,
});
/** Makes the units of one caller run in the order of its calls (SOCKET-4). */
export const callOrder = (key: number): Lock => ({ id: `caller ${key}`, isShared: false, isOwn: true });

/** The arguments of `take_locks`: each lock once, in the same order on all nodes, so that batches cannot deadlock. */
export function lockRequest(locks: readonly Lock[], isExclusive: boolean): { ids: string; modes: string } {
  const modes = new Map<string, 's' | 'x'>();
  for (const { id, isShared, isOwn } of locks) if (!isOwn && modes.get(id) !== 'x') modes.set(id, isShared ? 's' : 'x');
  const ids = [...modes.keys()].toSorted();
  return {
    ids: `{${[EVERYTHING, ...ids].join(',')}}`,
    modes: (isExclusive ? 'x' : 's') + ids.map((id) => modes.get(id)).join(''),
  };
}
