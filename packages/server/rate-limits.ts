import { type Input, limits, type OperationName } from '@parley/protocol';
import type { Caller } from './call.ts';
import { ServiceError } from './errors.ts';

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
  readonly #ofAccounts: Readonly<Record<OfAccount, Buckets<number>>>;
  readonly #addressJoins: Buckets<string>;
  readonly #signIns: Buckets<string>;
  readonly #passwords: Buckets<string>;

  constructor(rates: Rates = defaultRates) {
    this.#ofAccounts = {
      messages: new Buckets(rates.messages, limits.messageIds),
      alerts: new Buckets(rates.alerts),
      chats: new Buckets(rates.chats),
      uploads: new Buckets(rates.uploads),
      joins: new Buckets(rates.joins),
      profiles: new Buckets(rates.profiles),
    };
    this.#addressJoins = new Buckets(rates.addressJoins);
    this.#signIns = new Buckets(rates.signIns);
    this.#passwords = new Buckets(rates.passwords);
  }

  /** Counts the call, or throws rate_limited: then it did not count. */
  admit(name: OperationName, input: unknown, caller: Caller | null, address: string, now: number): void {
    const rate = ofAccount[name];
    if (rate && caller) {
      const from = name === 'joinChat' ? addressBlock(address) : null;
      const waitMs = from === null ? 0 : this.#addressJoins.waitMs(from, now);
      const cost = costOf(name, input);
      refuseFor(Math.max(this.#ofAccounts[rate].waitMs(caller.key, now, cost), waitMs));
      this.#ofAccounts[rate].take(caller.key, now, cost);
      if (from !== null) this.#addressJoins.take(from, now);
    } else if (takesPassword.has(name)) {
      const from = addressBlock(address);
      // The declaration of this name parsed the input. Whoever tries passwords, tries them by whichever door.
      const username = name === 'signIn' ? (input as Input<'signIn'>).username : caller?.username;
      const pair = name === 'signUp' || username === undefined ? null : `${from} ${username}`;
      refuseFor(Math.max(this.#passwords.waitMs(from, now), pair === null ? 0 : this.#signIns.waitMs(pair, now)));
      this.#passwords.take(from, now);
      if (pair !== null) this.#signIns.take(pair, now);
    }
  }
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

/** Beyond this many keys in one generation the oldest are forgotten before their buckets are full again. */
const MAX_KEYS = 100_000;

/** Token buckets, each kept as one number: the moment at which it will be full again. */
export class Buckets<Key> {
  readonly #refillMs: number;
  readonly #fillMs: number;
  /** What takes more than a bucket holds needs a full one, which is then full again after this at the latest. */
  readonly #longestMs: number;
  // Two generations: a bucket that nobody took from for as long as filling it takes is full, and need not be known.
  #young = new Map<Key, number>();
  #old = new Map<Key, number>();
  #turnAt = 0;

  constructor({ burst, refillMs }: Rate, mostAtOnce = 1) {
    this.#refillMs = refillMs;
    this.#fillMs = burst * refillMs;
    this.#longestMs = Math.max(burst, mostAtOnce) * refillMs;
  }

  /** How long until this bucket has so many to take, or is full; 0 when it has. */
  waitMs(key: Key, now: number, count = 1): number {
    const takenMs = Math.min(count * this.#refillMs, this.#fillMs);
    return Math.max(0, this.#fullAt(key, now) + takenMs - this.#fillMs - now);
  }

  take(key: Key, now: number, count = 1): void {
    const fullAt = this.#fullAt(key, now) + count * this.#refillMs;
    // The last condition: a clock that was set back must not keep a generation for long.
    if (now >= this.#turnAt || this.#young.size >= MAX_KEYS || this.#turnAt - now > this.#longestMs) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#turnAt = now + this.#longestMs;
    }
    this.#young.set(key, fullAt);
  }

  /** How many buckets are known; the others are full. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  #fullAt(key: Key, now: number): number {
    const known = this.#young.get(key) ?? this.#old.get(key);
    if (known === undefined || known <= now) return now;
    // No bucket takes longer than this to fill, unless the clock was set back.
    return Math.min(known, now + this.#longestMs);
  }
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
