import type { RateClass } from '@parley/protocol';
import type { Caller } from '../access/call.ts';
import { ServiceError } from '../core/errors.ts';
import type { PasswordTries, PasswordTry } from '../people/password-tries.ts';
import { tokenHash } from '../secrets/tokens.ts';
import { mostAtOnce, OwnBuckets, type RateBuckets, type Taking } from './rate-buckets.ts';
import type { Awaitable } from '../store/sql.ts';

/** How many calls may come in one burst, and the time after which one more may follow. */
export interface Rate {
  burst: number;
  refillMs: number;
}

export interface Rates {
  /** Operations that post messages, per owner: a human together with its bots. */
  messages: Rate;
  /** Posts to one webhook; each also counts as a message of its owner. */
  webhooks: Rate;
  /** All other operations that write, per owner. */
  writes: Rate;
  /** uploadFile, createEmoji, setChatAvatar and createWebhook, per owner. */
  uploads: Rate;
  /** joinChat, per owner. */
  joins: Rate;
  /** joinChat and getInvite, per address, which many people may share. */
  addressJoins: Rate;
  /** updateProfile, per owner: the change is sent to every account that shares a conversation. */
  profiles: Rate;
  /** previewDispatch, per owner: apps call it while a person types. */
  previews: Rate;
  /** getModels and transcribeMessage, per owner: they send requests to servers that people name. */
  models: Rate;
  /** Password checks, per address and username, or per known device. */
  signIns: Rate;
  /** createUserToken and deleteUser, per key of a backend; exchangeUserToken, per address. */
  userTokens: Rate;
  /** Password checks and signUp, per address. */
  passwords: Rate;
  /** Calls that are refused for their shape and count towards no other rate, per owner or address, on each node. */
  refusals: Rate;
}

export const defaultRates: Rates = {
  messages: { burst: 200, refillMs: 1_000 / 20 },
  webhooks: { burst: 60, refillMs: 60_000 / 60 },
  writes: { burst: 200, refillMs: 1_000 / 20 },
  uploads: { burst: 60, refillMs: 1_000 },
  joins: { burst: 60, refillMs: 60_000 / 60 },
  addressJoins: { burst: 600, refillMs: 60_000 / 600 },
  profiles: { burst: 20, refillMs: 60_000 / 20 },
  models: { burst: 20, refillMs: 60_000 / 20 },
  previews: { burst: 60, refillMs: 1_000 / 5 },
  signIns: { burst: 5, refillMs: 60_000 / 5 },
  userTokens: { burst: 100, refillMs: 1_000 / 20 },
  passwords: { burst: 60, refillMs: 60_000 / 60 },
  refusals: { burst: 1_000, refillMs: 1_000 / 50 },
};

/** A call, as the rate limits need it. */
export interface RatedCall {
  rate: RateClass;
  /** The fields as they came: nothing has checked them yet. */
  params: unknown;
  caller: Caller | null;
  address: string;
  /** How many messages a call of the class `messages` posts: 1 by default, and 0 if it counts as another write. */
  messages?: number;
}

/** How often operations may be called, over both transports together (LIMIT-1, LIMIT-2). */
export class RateLimits implements PasswordTries {
  readonly #buckets: RateBuckets;

  constructor(rates: Rates = defaultRates, buckets: RateBuckets = new OwnBuckets(rates)) {
    this.#buckets = buckets;
  }

  /** Counts the call, or throws rate_limited without counting it. */
  admit(call: RatedCall, now: number): Awaitable<void> {
    const takings = takingsOf(call);
    if (takings.length === 0) return undefined;
    const waitMs = this.#buckets.take(takings, now);
    return typeof waitMs === 'number' ? refuseFor(waitMs) : waitMs.then(refuseFor);
  }

  /** Counts a password that is about to be checked, or throws rate_limited without counting it (LIMIT-2, AUTH-19). */
  async admitPassword(attempt: PasswordTry, now: number): Promise<void> {
    const { username, address, from } = attempt;
    const block = addressBlock(address);
    const key = from.type === 'device' ? pauseKeyOf(attempt) : `${block} ${username}`;
    const takings: Taking[] = [
      { rate: 'passwords', key: block, count: 1 },
      { rate: 'signIns', key, count: 1 },
    ];
    refuseFor(await this.#buckets.take(takings, now, pauseKeyOf(attempt)));
  }

  /** The password was right. A successful signIn from a known device also ends the pause of the username. */
  async clearPause(attempt: PasswordTry): Promise<void> {
    const keys = [pauseKeyOf(attempt)];
    if (attempt.from.type === 'device') keys.push(pauseKeyOf({ ...attempt, from: { type: 'stranger' } }));
    await this.#buckets.clearPauses(keys);
  }

  /** The password was not checked: the try admitted at this time does not count towards the pause. */
  async uncountTry(attempt: PasswordTry, triedAt: number): Promise<void> {
    await this.#buckets.uncountTry(pauseKeyOf(attempt), triedAt);
  }
}

function pauseKeyOf({ username, from }: PasswordTry): string {
  return from.type === 'stranger' ? `name ${username}` : `${from.type} ${from.id}`;
}

/** Whether a call counts towards the rate of its operation; open reads, for one, count towards none. */
export const isCounted = (call: RatedCall): boolean => takingsOf(call).length > 0;

const ofAddress =
  (rate: keyof Rates) =>
  ({ address }: RatedCall): Taking[] => [{ rate, key: addressBlock(address), count: 1 }];
const ofOwner =
  (...rates: (keyof Rates)[]) =>
  ({ caller }: RatedCall): Taking[] =>
    caller ? rates.map((rate) => ({ rate, key: caller.ownerKey, count: 1 })) : [];
const joins = [ofOwner('writes', 'joins'), ofAddress('addressJoins')];

/** The buckets that a call of each class takes from. */
const takingsOfClass: Readonly<Record<RateClass, (call: RatedCall) => Taking[]>> = {
  none: () => [],
  continuations: () => [],
  // `admitPassword` counts each password before it is checked.
  passwordChecks: () => [],
  messages: takingsOfPost,
  writes: ofOwner('writes'),
  endsAccess: ({ caller }) => (caller ? [{ rate: 'writes', key: `account ${caller.key}`, count: 1 }] : []),
  uploads: ofOwner('writes', 'uploads'),
  profiles: ofOwner('writes', 'profiles'),
  models: ofOwner('writes', 'models'),
  joins: (call) => (call.caller ? joins.flatMap((takings) => takings(call)) : []),
  inviteReads: ofAddress('addressJoins'),
  previews: ofOwner('previews'),
  signUps: ofAddress('passwords'),
  userTokens: ({ params, address }) => [
    { rate: 'userTokens', key: backendOf(params) ?? addressBlock(address), count: 1 },
  ],
  tokenExchanges: ofAddress('userTokens'),
};
const takingsOf = (call: RatedCall): Taking[] => takingsOfClass[call.rate](call);

function takingsOfPost(call: RatedCall): Taking[] {
  const { caller, messages = 1 } = call;
  if (!caller) return [];
  if (messages === 0) return ofOwner('writes')(call);
  const count = Math.min(messages, mostAtOnce('messages'));
  const takings: Taking[] = [{ rate: 'messages', key: caller.ownerKey, count }];
  if (caller.isWebhook) takings.push({ rate: 'webhooks', key: caller.key, count: 1 });
  return takings;
}

/** The bucket of a backend: the hash of its key, because buckets may be kept in Redis. Undefined without a key. */
function backendOf(params: unknown): string | undefined {
  const key = fieldOf(params, 'backend_key');
  return typeof key === 'string' ? Buffer.from(tokenHash(key)).toString('base64url') : undefined;
}

const fieldOf = (params: unknown, field: string): unknown =>
  typeof params === 'object' && params !== null && Object.hasOwn(params, field)
    ? // Has the field, as checked here.
      (params as Record<string, unknown>)[field]
    : undefined;

/** Throws rate_limited if the caller has to wait. */
export function refuseFor(waitMs: number): void {
  if (waitMs <= 0) return;
  const seconds = Math.ceil(waitMs / 1_000);
  throw new ServiceError('rate_limited', `too many at once; try again in ${seconds} s`, { retry_after: seconds });
}

/** The key that an address counts as: for IPv6 the /64 network, which usually belongs to one customer. */
export function addressBlock(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.replace(/%.*/s, '').toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(gap).fill('0'), ...right].slice(0, 4).join(':');
}
