import { type OperationName, operationNames, operations, type RateClass } from '@parley/protocol';
import type { Caller } from '@parley/server/access/call.ts';
import { ServiceError } from '@parley/server/core/errors.ts';
import { ratedCall } from '@parley/server/calls/dispatch.ts';
import { defaultRates, type RatedCall, type RateLimits, type Rates } from '@parley/server/calls/rate-limits.ts';
import type { Awaitable } from '@parley/server/store/sql.ts';
import { describe, expect, test } from 'vitest';

const START = Date.UTC(2026, 0, 1);
const callerOf = (key: number, ownerKey = key): Caller => ({
  key,
  ownerKey,
  username: `u${key}`,
  displayName: 'U',
  kind: 'human',
  role: 'member',
  sessionKey: null,
});
const alice = callerOf(1);

/** A call as `dispatch` passes it to the rate limits. */
const callOf = (name: OperationName, params: unknown, caller: Caller | null, address: string): RatedCall =>
  ratedCall(name, params, { caller, address }, true);

/** The outcome of a call: `ok`, or the seconds after which to try again. */
async function outcome(act: () => Awaitable<void>): Promise<'ok' | number> {
  try {
    await act();
    return 'ok';
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'rate_limited') throw error;
    return Number(error.parameters?.retry_after);
  }
}
async function repeat<Value>(times: number, act: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (let at = 0; at < times; at += 1) values.push(await act());
  return values;
}
const ok = (times: number) => Array<'ok'>(times).fill('ok');

const everyCall = Number.POSITIVE_INFINITY;

/** How many calls of an operation of each class one account may make at the same time. */
const atOnce: Readonly<Record<RateClass, number>> = {
  none: everyCall,
  continuations: everyCall,
  messages: 200,
  writes: 200,
  endsAccess: 200,
  uploads: 60,
  profiles: 20,
  models: 20,
  joins: 60,
  inviteReads: 600,
  previews: 60,
  signUps: 60,
  // Passwords are counted when they are checked: see password-tries-contract.ts.
  passwordChecks: everyCall,
  userTokens: 100,
  tokenExchanges: 100,
};
const classOf = (name: OperationName): RateClass => operations[name].policy.rate;
const ofClass = (rate: RateClass): OperationName[] => operationNames.filter((name) => classOf(name) === rate);

/** The behaviour of rate limits, wherever their buckets are stored. Each `open` starts with full buckets. */
export function rateLimitsContract(name: string, open: (rates: Rates) => RateLimits): void {
  describe(`${name} as the store of rate limits`, () => {
    test('LIMIT-1: an owner sends 200 messages at once, then 20 a second; other owners are not affected', async () => {
      const limits = open(defaultRates);
      const send = (now: number, caller = alice) =>
        outcome(() => limits.admit(callOf('sendMessage', {}, caller, '192.0.2.1'), now));
      expect(await repeat(201, () => send(START))).toEqual([...ok(200), 1]);
      expect(await send(START, callerOf(2))).toBe('ok');
      expect(await repeat(2, () => send(START + 50))).toEqual(['ok', 1]);
      expect(await repeat(21, () => send(START + 1_050))).toEqual([...ok(20), 1]);
      expect(await repeat(201, () => send(START + 11_050))).toEqual([...ok(200), 1]);
    });

    test('LIMIT-2: 60 invite attempts a minute per account, 600 per address; a refused attempt costs nothing', async () => {
      const limits = open(defaultRates);
      const join = (key: number, now = START) =>
        outcome(() => limits.admit(callOf('joinChat', { token: 'i_guess' }, callerOf(key), '2001:db8::7'), now));
      expect(await repeat(62, () => join(1))).toEqual([...ok(60), 1, 1]);
      expect(await join(1, START + 1_000)).toBe('ok');
      for (let key = 2; key <= 10; key += 1) await repeat(60, () => join(key, START + 1_000));
      // The address regained ten attempts in that second.
      expect(await repeat(10, () => join(11, START + 1_000))).toEqual([...ok(9), 1]);
      expect(await outcome(() => limits.admit(callOf('joinChat', {}, callerOf(12), '2001:db8:0:1::7'), START))).toBe(
        'ok',
      );
    });

    test('LIMIT-1: a person and its bots share one bucket for messages and one for all other writes', async () => {
      const limits = open(defaultRates);
      const bots = Array.from({ length: 10 }, (_, at) => callerOf(100 + at, alice.key));
      const call = (name: OperationName, caller: Caller) =>
        outcome(() => limits.admit(callOf(name, {}, caller, '192.0.2.1'), START));
      for (const name of ['sendMessage', 'setMessageReaction'] as const) {
        for (const bot of bots) expect(await repeat(20, () => call(name, bot))).toEqual(ok(20));
        for (const caller of [alice, ...bots]) expect(await call(name, caller)).toBe(1);
        expect(await call(name, callerOf(2))).toBe('ok');
      }
    });

    test('LIMIT-1: bots that use up the rate do not keep their owner from ending sessions and tokens', async () => {
      const limits = open(defaultRates);
      const call = (name: OperationName, caller: Caller) =>
        outcome(() => limits.admit(callOf(name, {}, caller, '192.0.2.1'), START));
      await repeat(200, () => call('sendChatAction', callerOf(100, alice.key)));
      expect(await call('setChatTitle', alice)).toBe(1);
      const ending = ofClass('endsAccess');
      expect(ending).toEqual(expect.arrayContaining(['rotateBotToken', 'terminateSession', 'signOut']));
      for (const name of ending) expect(await call(name, alice)).toBe('ok');
    });

    test.each([
      ['messages', 200, 20],
      ['uploads', 60, 1],
    ] as const)('LIMIT-1, LIMIT-2: %s share a rate', async (rate, burst, perS) => {
      const names = ofClass(rate);
      expect(names.length).toBeGreaterThan(3);
      const limits = open(defaultRates);
      const take = (turn: number, now: number) =>
        outcome(() => limits.admit(callOf(names[turn % names.length] ?? 'getMe', {}, alice, '192.0.2.1'), now));
      let at = 0;
      expect(await repeat(burst + 2, () => take((at += 1), START))).toEqual([...ok(burst), 1, 1]);
      const later = await repeat(perS + 1, () => take((at += 1), START + 1_000));
      expect(later).toEqual([...ok(perS), 1]);
      for (const name of operationNames.filter((other) => !names.includes(other)))
        expect(
          await outcome(() =>
            limits.admit(callOf(name, { username: 'x', backend_key: 'x' }, alice, '192.0.2.1'), START),
          ),
        ).toBe('ok');
    });

    test('LIMIT-1: all operations that write but post no message share 200 calls at once, then 20 a second', async () => {
      const limits = open(defaultRates);
      const names = ofClass('writes');
      expect(names).toEqual(expect.arrayContaining(['setChatTitle', 'setMessageReaction', 'sendChatAction']));
      const take = (turn: number, now: number) =>
        outcome(() => limits.admit(callOf(names[turn % names.length] ?? 'setChatTitle', {}, alice, '192.0.2.1'), now));
      let at = 0;
      expect(await repeat(202, () => take((at += 1), START))).toEqual([...ok(200), 1, 1]);
      expect(await repeat(21, () => take((at += 1), START + 1_000))).toEqual([...ok(20), 1]);
      expect(await outcome(() => limits.admit(callOf('uploadFile', {}, alice, '192.0.2.1'), START + 1_000))).toBe(1);
    });

    test('LIMIT-1: every message of a forward counts; a forward larger than the bucket needs a full bucket, and leaves a debt', async () => {
      const limits = open({ ...defaultRates, messages: { burst: 60, refillMs: 50 } });
      const ids = (count: number) => Array.from({ length: count }, (_, at) => `id ${at}`);
      const forward = (now: number, message_ids: string[]) =>
        outcome(() => limits.admit(callOf('forwardMessages', { message_ids }, alice, '192.0.2.1'), now));
      const send = (now: number) => outcome(() => limits.admit(callOf('sendMessage', {}, alice, '192.0.2.1'), now));
      expect([
        await forward(START, ids(50)),
        await forward(START, ids(11)),
        await forward(START, ids(10)),
        await send(START),
      ]).toEqual(['ok', 1, 'ok', 1]);
      expect(await forward(START + 3_000, [...ids(1), ...ids(1)])).toBe('ok');
      expect(await forward(START + 3_000, ids(100))).toBe(1);
      expect(await forward(START + 3_050, ids(100))).toBe('ok');
      expect([await send(START + 5_050), await send(START + 5_100), await send(START + 5_100)]).toEqual([1, 'ok', 1]);
    });

    test('LIMIT-1, LIMIT-2: one account makes as many calls of an operation at once as its class admits', async () => {
      const largest = Math.max(...Object.values(atOnce).filter(Number.isFinite));
      for (const name of operationNames) {
        const limits = open(defaultRates);
        const call = () =>
          outcome(() => limits.admit(callOf(name, { username: 'x', backend_key: 'x' }, alice, '192.0.2.1'), START));
        // A few more calls than the largest rate admits.
        const most = atOnce[classOf(name)];
        const tries = Math.min(most, largest) + 10;
        const admitted = (await repeat(tries, call)).filter((answer) => answer === 'ok').length;
        expect([name, admitted]).toEqual([name, Math.min(tries, most)]);
      }
    });

    test('PREVIEW-5: previews have a rate of their own, 60 at once, then 5 a second', async () => {
      const limits = open(defaultRates);
      const call = (name: OperationName, now: number) =>
        outcome(() => limits.admit(callOf(name, {}, alice, '192.0.2.1'), now));
      expect(await repeat(61, () => call('previewDispatch', START))).toEqual([...ok(60), 1]);
      expect(await repeat(200, () => call('addGroupAgent', START))).toEqual(ok(200));
      expect(await repeat(200, () => call('sendMessage', START))).toEqual(ok(200));
      expect(await repeat(6, () => call('previewDispatch', START + 1_000))).toEqual([...ok(5), 1]);
    });

    test('CONFIG-11: the configured rates apply', async () => {
      const limits = open({ ...defaultRates, messages: { burst: 3, refillMs: 500 } });
      const send = (now: number) => outcome(() => limits.admit(callOf('sendMessage', {}, alice, '192.0.2.1'), now));
      expect(await repeat(4, () => send(START))).toEqual([...ok(3), 1]);
      expect(await repeat(3, () => send(START + 1_000))).toEqual([...ok(2), 1]);
    });
  });
}
