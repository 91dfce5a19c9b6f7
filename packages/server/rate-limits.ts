import type { Input, OperationName } from '@parley/protocol';
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
  /** signIn, for one user name from one address. */
  signIns: Rate;
  /** signIn and signUp, from one address. */
  passwords: Rate;
}

export const defaultRates: Rates = {
  messages: { burst: 60, refillMs: 1_000 / 20 },
  alerts: { burst: 200, refillMs: 1_000 / 20 },
  chats: { burst: 1_000, refillMs: 1_000 / 50 },
  signIns: { burst: 5, refillMs: 60_000 / 5 },
  passwords: { burst: 60, refillMs: 60_000 / 60 },
};

/** What counts to the rates of whoever calls. */
const ofAccount: Partial<Record<OperationName, 'messages' | 'alerts' | 'chats'>> = {
  sendMessage: 'messages',
  startMessageStream: 'messages',
  sendComponentAction: 'messages',
  pushAlert: 'alerts',
  startChat: 'chats',
  addMembers: 'chats',
};

/** What may be called how often, on both transports together (LIMIT-1, LIMIT-2). */
export class RateLimits {
  readonly #ofAccounts: Readonly<Record<'messages' | 'alerts' | 'chats', Buckets<number>>>;
  readonly #signIns: Buckets<string>;
  readonly #passwords: Buckets<string>;

  constructor(rates: Rates = defaultRates) {
    this.#ofAccounts = {
      messages: new Buckets(rates.messages),
      alerts: new Buckets(rates.alerts),
      chats: new Buckets(rates.chats),
    };
    this.#signIns = new Buckets(rates.signIns);
    this.#passwords = new Buckets(rates.passwords);
  }

  /** Counts the call, or throws rate_limited: then it did not count. */
  admit(name: OperationName, input: unknown, caller: Caller | null, address: string, now: number): void {
    const rate = ofAccount[name];
    if (rate && caller) {
      refuseFor(this.#ofAccounts[rate].waitMs(caller.key, now));
      this.#ofAccounts[rate].take(caller.key, now);
    } else if (name === 'signIn' || name === 'signUp') {
      const from = addressBlock(address);
      // The declaration of this name parsed the input.
      const pair = name === 'signIn' ? `${from} ${(input as Input<'signIn'>).username}` : null;
      refuseFor(Math.max(this.#passwords.waitMs(from, now), pair === null ? 0 : this.#signIns.waitMs(pair, now)));
      this.#passwords.take(from, now);
      if (pair !== null) this.#signIns.take(pair, now);
    }
  }
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
  // Two generations: a bucket that nobody took from for as long as filling it takes is full, and need not be known.
  #young = new Map<Key, number>();
  #old = new Map<Key, number>();
  #turnAt = 0;

  constructor({ burst, refillMs }: Rate) {
    this.#refillMs = refillMs;
    this.#fillMs = burst * refillMs;
  }

  /** How long until this bucket has one to take; 0 when it has. */
  waitMs(key: Key, now: number): number {
    return Math.max(0, this.#fullAt(key, now) + this.#refillMs - this.#fillMs - now);
  }

  take(key: Key, now: number): void {
    const fullAt = this.#fullAt(key, now) + this.#refillMs;
    // The last condition: a clock that was set back must not keep a generation for long.
    if (now >= this.#turnAt || this.#young.size >= MAX_KEYS || this.#turnAt - now > this.#fillMs) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#turnAt = now + this.#fillMs;
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
    return Math.min(known, now + this.#fillMs);
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
