import type { OperationName } from '@parley/protocol';
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

const postsMessages: ReadonlySet<OperationName> = new Set([
  'sendMessage',
  // The service sends it later without counting it again.
  'scheduleMessage',
  'startMessageStream',
  'sendComponentAction',
  'editMessage',
  'retryReply',
  'continueReply',
  'forwardMessages',
]);

/** Stricter rates of single operations, which also count towards `writes`. */
const stricterRates: Partial<Record<OperationName, 'uploads' | 'joins' | 'profiles' | 'models'>> = {
  uploadFile: 'uploads',
  createEmoji: 'uploads',
  setChatAvatar: 'uploads',
  createWebhook: 'uploads',
  joinChat: 'joins',
  updateProfile: 'profiles',
  getModels: 'models',
  transcribeMessage: 'models',
};

/** Operations that continue a counted call: an open stream, an inline query. */
const continuesCountedCall: ReadonlySet<OperationName> = new Set([
  'appendMessageStream',
  'finishMessageStream',
  'answerInlineQuery',
]);

/**
 * Counted per account: otherwise a bot (or a stolen bot token) could use up the owner's rate and so block these calls.
 */
const endsAccess: ReadonlySet<OperationName> = new Set([
  'signOut',
  'terminateSession',
  'terminateOtherSessions',
  'rotateBotToken',
  'deleteAgent',
  'deleteBot',
  'deleteWebhook',
  'deleteWebhookSubscription',
  'removeAgentKey',
]);

/** Not counted like other calls: `admitPassword` counts each password before it is checked. */
const checksPassword: ReadonlySet<OperationName> = new Set(['signIn', 'changePassword', 'deleteAccount']);

/** A call, as the rate limits need it. */
export interface RatedCall {
  name: OperationName;
  /** The fields as they came: nothing has checked them yet. */
  params: unknown;
  caller: Caller | null;
  address: string;
  /** Whether the operation writes or reaches other accounts. */
  isRated: boolean;
  /** False if the operation posts messages but this call will not. */
  posts?: boolean;
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

/** The buckets that a call takes from. */
function takingsOf(call: RatedCall): Taking[] {
  const { name, params, caller, address, isRated, posts = true } = call;
  if (name === 'signUp') return [{ rate: 'passwords', key: addressBlock(address), count: 1 }];
  if (name === 'getInvite') return [{ rate: 'addressJoins', key: addressBlock(address), count: 1 }];
  if (name === 'createUserToken' || name === 'deleteUser')
    return [{ rate: 'userTokens', key: backendOf(params) ?? addressBlock(address), count: 1 }];
  if (name === 'exchangeUserToken') return [{ rate: 'userTokens', key: addressBlock(address), count: 1 }];
  if (checksPassword.has(name)) return [];
  if (caller && name === 'previewDispatch') return [{ rate: 'previews', key: caller.ownerKey, count: 1 }];
  if (!caller || !isRated || continuesCountedCall.has(name)) return [];
  if (postsMessages.has(name) && posts) {
    const takings: Taking[] = [{ rate: 'messages', key: caller.ownerKey, count: costOf(name, params) }];
    if (caller.isWebhook) takings.push({ rate: 'webhooks', key: caller.key, count: 1 });
    return takings;
  }
  const key = endsAccess.has(name) ? `account ${caller.key}` : caller.ownerKey;
  const takings: Taking[] = [{ rate: 'writes', key, count: 1 }];
  const stricter = stricterRates[name];
  if (stricter) takings.push({ rate: stricter, key: caller.ownerKey, count: 1 });
  if (name === 'joinChat') takings.push({ rate: 'addressJoins', key: addressBlock(address), count: 1 });
  return takings;
}

/** The bucket of a backend: the hash of its key, because buckets may be kept in Redis. Undefined without a key. */
function backendOf(params: unknown): string | undefined {
  const key = fieldOf(params, 'backend_key');
  return typeof key === 'string' ? Buffer.from(tokenHash(key)).toString('base64url') : undefined;
}

/** How many messages a call may post: each counts as one call. */
function costOf(name: OperationName, params: unknown): number {
  const ids = name === 'forwardMessages' ? fieldOf(params, 'message_ids') : undefined;
  return Array.isArray(ids) ? Math.min(Math.max(1, new Set(ids).size), mostAtOnce('messages')) : 1;
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
