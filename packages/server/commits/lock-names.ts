import { hash } from 'node:crypto';

/** What a unit needs for itself (or, `isShared`, beside others that do no more than it does) until it is committed. */
export interface Lock {
  /** A number, as text, that stands for the name: PostgreSQL's advisory locks have numbers. */
  readonly id: string;
  readonly isShared: boolean;
  /** Orders units of this node alone: nobody else is asked. */
  readonly isOwn: boolean;
}

/** Shared by every batch, and taken alone by one that may touch anything. */
export const EVERYTHING = '0';

const numberOf = (name: string): string => hash('sha1', name, 'buffer').readBigInt64LE().toString();

const lock = (name: string, isShared = false): Lock => ({ id: numberOf(name), isShared, isOwn: false });

/** A conversation, by its public id: nobody else changes or numbers anything in it. */
export const chat = (id: string): Lock => lock(`chat ${id.toLowerCase()}`);
/** Nobody changes what is in it meanwhile. */
export const chatAsItIs = (id: string): Lock => lock(`chat ${id.toLowerCase()}`, true);
/** What is one account's own. */
export const account = (key: number): Lock => lock(`account ${key}`);
/** A person and its bots, by the name of any of them: `alice` and `alice:helper`. */
export const household = (username: string): Lock => lock(`household ${username.split(':', 1)[0]}`);
/** Anything else that has a name. */
export const named = (name: string, isShared = false): Lock => lock(name, isShared);
/** Whatever one caller has asked for happens in its order (SOCKET-4). */
export const callOrder = (key: number): Lock => ({ id: `caller ${key}`, isShared: false, isOwn: true });

/** What PostgreSQL is asked for: each once, in one order for all nodes, so that no two wait for each other. */
export function lockRequest(locks: readonly Lock[], isExclusive: boolean): { ids: string; modes: string } {
  const modes = new Map<string, 's' | 'x'>();
  for (const { id, isShared, isOwn } of locks) if (!isOwn && modes.get(id) !== 'x') modes.set(id, isShared ? 's' : 'x');
  const ids = [...modes.keys()].toSorted();
  return {
    ids: `{${[EVERYTHING, ...ids].join(',')}}`,
    modes: (isExclusive ? 'x' : 's') + ids.map((id) => modes.get(id)).join(''),
  };
}
