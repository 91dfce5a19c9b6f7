import type { Input, OperationName } from '@parley/protocol';
import type { Caller } from './call.ts';
import { ServiceError } from './errors.ts';
import { OwnBuckets, type RateBuckets, type Taking } from './rate-buckets.ts';
import type { Awaitable } from './store/sql.ts';

/** So many at once, and then one every so many milliseconds. */
export interface Rate {
  burst: number;
  refillMs: number;
}

export interface Rates {
  /** Whatever posts a message, of one account. */
  messages: Rate;
  /** pushAlert, of one account. */
  alerts: Rate;
  /** startChat and addMembers, of one account: they reach people who have not asked for it. */
  chats: Rate;
  /** uploadFile, of one account. */
  uploads: Rate;
  /** joinChat, of one account. */
  joins: Rate;
  /** joinChat, from one address: many people may share it. */
  addressJoins: Rate;
  /** updateProfile, of one account: everybody it shares a conversation with is told. */
  profiles: Rate;
  /** signIn, changePassword and deleteAccount, for one user name from one address. */
  signIns: Rate;
  /** These and signUp, from one address. */
  passwords: Rate;
}

export const defaultRates: Rates = {
  messages: { burst: 60, refillMs: 1_000 / 20 },
  alerts: { burst: 200, refillMs: 1_000 / 20 },
  chats: { burst: 1_000, refillMs: 1_000 / 50 },
  uploads: { burst: 60, refillMs: 1_000 },
  joins: { burst: 60, refillMs: 60_000 / 60 },
  addressJoins: { burst: 600, refillMs: 60_000 / 600 },
  profiles: { burst: 20, refillMs: 60_000 / 20 },
  signIns: { burst: 5, refillMs: 60_000 / 5 },
  passwords: { burst: 60, refillMs: 60_000 / 60 },
};

type OfAccount = 'messages' | 'alerts' | 'chats' | 'uploads' | 'joins' | 'profiles';

/** What counts to the rates of whoever calls. */
const ofAccount: Partial<Record<OperationName, OfAccount>> = {
  sendMessage: 'messages',
  startMessageStream: 'messages',
  sendComponentAction: 'messages',
  editMessage: 'messages',
  retryReply: 'messages',
  forwardMessages: 'messages',
  pushAlert: 'alerts',
  startChat: 'chats',
  addMembers: 'chats',
  uploadFile: 'uploads',
  joinChat: 'joins',
  updateProfile: 'profiles',
};

const takesPassword: ReadonlySet<OperationName> = new Set(['signIn', 'signUp', 'changePassword', 'deleteAccount']);

/** What may be called how often, on both transports together (LIMIT-1, LIMIT-2). */
export class RateLimits {
  readonly #buckets: RateBuckets;

  constructor(rates: Rates = defaultRates, buckets: RateBuckets = new OwnBuckets(rates)) {
    this.#buckets = buckets;
  }

  /** Counts the call, or fails with rate_limited: then it did not count. */
  admit(name: OperationName, input: unknown, caller: Caller | null, address: string, now: number): Awaitable<void> {
    const takings = takingsOf(name, input, caller, address);
    if (takings.length === 0) return undefined;
    const waitMs = this.#buckets.take(takings, now);
    return typeof waitMs === 'number' ? refuseFor(waitMs) : waitMs.then(refuseFor);
  }
}

/** What a call takes, from which buckets. */
function takingsOf(name: OperationName, input: unknown, caller: Caller | null, address: string): Taking[] {
  const rate = ofAccount[name];
  if (rate && caller) {
    const own: Taking = { rate, key: caller.key, count: costOf(name, input) };
    return name === 'joinChat' ? [own, { rate: 'addressJoins', key: addressBlock(address), count: 1 }] : [own];
  }
  if (!takesPassword.has(name)) return [];
  const from = addressBlock(address);
  // The declaration of this name parsed the input. Whoever tries passwords, tries them by whichever door.
  const username = name === 'signIn' ? (input as Input<'signIn'>).username : caller?.username;
  const ofAddress: Taking = { rate: 'passwords', key: from, count: 1 };
  if (name === 'signUp' || username === undefined) return [ofAddress];
  return [ofAddress, { rate: 'signIns', key: `${from} ${username}`, count: 1 }];
}

/** How many messages a call may make: each counts. */
function costOf(name: OperationName, input: unknown): number {
  if (name !== 'forwardMessages') return 1;
  // The declaration of this name parsed the input.
  const { message_ids } = input as Input<'forwardMessages'>;
  return Math.max(1, new Set(message_ids).size);
}

function refuseFor(waitMs: number): void {
  if (waitMs <= 0) return;
  const seconds = Math.ceil(waitMs / 1_000);
  throw new ServiceError('rate_limited', `too many at once; try again in ${seconds} s`, { retry_after: seconds });
}

/** Whom an address belongs to: with IPv6 the whole network of 64 bits, as one customer has it. */
export function addressBlock(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(gap).fill('0'), ...right].slice(0, 4).join(':');
}
