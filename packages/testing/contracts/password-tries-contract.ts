import { ServiceError } from '@parley/server/core/errors.ts';
import { LONGEST_PAUSE_MS, MAX_PAUSE_KEYS } from '@parley/server/calls/password-pauses.ts';
import { defaultRates, type RateLimits, type Rates } from '@parley/server/calls/rate-limits.ts';
import type { PasswordTry } from '@parley/server/people/password-tries.ts';
import { describe, expect, test } from 'vitest';

const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const stranger = { type: 'stranger' } as const;
const device = { type: 'device', id: 'a device' } as const;
const session = { type: 'session', id: 'a session' } as const;

/** `ok`, or the seconds after which to try again. */
async function outcome(admitted: Promise<void>): Promise<'ok' | number> {
  try {
    await admitted;
    return 'ok';
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'rate_limited') throw error;
    return Number(error.parameters?.retry_after);
  }
}

async function repeat<Value>(times: number, act: (at: number) => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (let at = 0; at < times; at += 1) values.push(await act(at));
  return values;
}
const ok = (times: number) => Array<'ok'>(times).fill('ok');

/** How password attempts are counted, wherever the counts are stored. */
export function passwordTriesContract(name: string, open: (rates: Rates) => RateLimits): void {
  describe(`${name} as the store of password attempts`, () => {
    const setup = () => {
      const limits = open(defaultRates);
      let addresses = 0;
      /** Each attempt comes from its own address, unless one is given. */
      const attempt = (more: Partial<PasswordTry> = {}): PasswordTry => ({
        username: 'bob',
        address: `198.51.${((addresses += 1) >> 8) & 255}.${addresses & 255}`,
        from: stranger,
        ...more,
      });
      const wrong = (now = START, more: Partial<PasswordTry> = {}) => outcome(limits.admitPassword(attempt(more), now));
      return { limits, attempt, wrong };
    };

    test('LIMIT-2: 5 attempts a minute for one name from one address; a refused attempt costs nothing', async () => {
      const { limits, wrong } = setup();
      const right = async (now: number, username = 'bob', address = '192.0.2.1') => {
        const admitted = await wrong(now, { username, address });
        if (admitted === 'ok') await limits.clearPause({ username, address, from: stranger });
        return admitted;
      };
      expect(await repeat(7, () => right(START))).toEqual([...ok(5), 12, 12]);
      expect(await right(START, 'carol')).toBe('ok');
      expect(await right(START, 'bob', '192.0.2.2')).toBe('ok');
      expect(await right(START + 11_999)).toBe(1);
      expect(await repeat(2, () => right(START + 12_000))).toEqual(['ok', 12]);
    });

    test('LIMIT-2: 60 attempts and sign-ups a minute per address, for all names together; IPv6 counts by network', async () => {
      const { limits, wrong } = setup();
      const signIn = (at: string, now = START) => wrong(now, { address: at, username: `n${Math.random()}` });
      const signUp = (address: string) => {
        const call = { rate: 'signUps', params: {}, caller: null, address } as const;
        return outcome(Promise.resolve().then(() => limits.admit(call, START)));
      };
      expect(await repeat(30, () => signIn('2001:db8::1'))).toEqual(ok(30));
      expect(await repeat(31, () => signUp('2001:db8::2'))).toEqual([...ok(30), 1]);
      expect(await signIn('2001:db8::3')).toBe(1);
      expect(await signIn('2001:db8:0:1::3')).toBe('ok');
      expect(await signIn('2001:db8::3', START + 1_000)).toBe('ok');
    });

    test('AUTH-19: of 80 simultaneous guesses at one name from 80 addresses, five are checked', async () => {
      const { wrong } = setup();
      const outcomes = await Promise.all(Array.from({ length: 80 }, () => wrong()));
      expect(outcomes.filter((admitted) => admitted === 'ok')).toHaveLength(5);
      expect(new Set(outcomes)).toEqual(new Set(['ok', 1]));
    });

    test('AUTH-19: from the fifth wrong password on the pause doubles, up to 15 minutes', async () => {
      const { wrong } = setup();
      let now = START;
      expect(await repeat(5, () => wrong(now))).toEqual(ok(5));
      const pauses: (number | 'ok')[] = [];
      for (let times = 0; times < 13; times += 1) {
        const pause = await wrong(now);
        pauses.push(pause);
        now += Number(pause) * 1_000;
        expect(await wrong(now - 1)).toBe(1);
        expect(await wrong(now)).toBe('ok');
      }
      expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
      expect(await wrong(now, { username: 'carol' })).toBe('ok');
    });

    test('AUTH-19: a right password, or a day without an attempt, resets the count', async () => {
      const { limits, attempt, wrong } = setup();
      await repeat(5, () => wrong());
      await limits.clearPause(attempt());
      expect(await repeat(6, () => wrong())).toEqual([...ok(5), 1]);
      expect(await repeat(6, () => wrong(START + DAY))).toEqual([...ok(5), 1]);
    });

    test('AUTH-19: an attempt whose password was not checked does not count', async () => {
      const { limits, attempt, wrong } = setup();
      await repeat(4, () => wrong());
      await repeat(3, async () => {
        expect(await wrong()).toBe('ok');
        await limits.uncountTry(attempt(), START);
      });
      expect(await repeat(2, () => wrong())).toEqual(['ok', 1]);
      await limits.uncountTry(attempt({ username: 'nobody' }), START);
    });

    test('AUTH-19: an attempt whose password was not checked does not restart the pause', async () => {
      const { limits, attempt, wrong } = setup();
      await repeat(5, () => wrong());
      await repeat(3, async () => {
        expect(await wrong(START + 1_000)).toBe('ok');
        await limits.uncountTry(attempt(), START + 1_000);
      });
      expect(await repeat(2, () => wrong(START + 1_000))).toEqual(['ok', 2]);
    });

    test('AUTH-19: an attempt whose password was not checked does not shorten the pause of a later attempt', async () => {
      const { limits, attempt, wrong } = setup();
      await repeat(4, () => wrong());
      expect(await wrong(START + 1_000)).toBe('ok');
      expect(await wrong(START + 3_000)).toBe('ok');
      await limits.uncountTry(attempt(), START + 1_000);
      expect(await wrong(START + 3_000)).toBe(1);
      expect(await wrong(START + 4_000)).toBe('ok');
    });

    test('AUTH-19: setting the clock back prolongs no pause', async () => {
      const { wrong } = setup();
      await repeat(5, () => wrong());
      expect(await wrong(START - DAY)).toBe(1);
    });

    test('AUTH-20: a known device and a session each have their own pause and rate', async () => {
      const { limits, attempt, wrong } = setup();
      const address = '192.0.2.1';
      expect(await repeat(6, () => wrong(START, { address }))).toEqual([...ok(5), 12]);
      expect(await repeat(6, () => wrong(START, { address, from: device }))).toEqual([...ok(5), 12]);
      expect(await wrong(START, { from: device })).toBe(12);
      expect(await repeat(6, () => wrong(START, { from: session }))).toEqual([...ok(5), 1]);
      // The right password on the device also ends the pause of strangers: the person is the same.
      await limits.clearPause(attempt({ from: device }));
      expect(await wrong()).toBe('ok');
      expect(await wrong(START + LONGEST_PAUSE_MS, { from: device })).toBe('ok');
    });

    test('LIMIT-3: at most 100,000 counts of wrong passwords are kept', { timeout: 120_000 }, async () => {
      const { wrong } = setup();
      await repeat(5, () => wrong());
      for (let at = 0; at < MAX_PAUSE_KEYS; at += 1_000) {
        const flood = Array.from({ length: 1_000 }, (_, more) => wrong(START + 1, { username: `n${at + more}` }));
        await Promise.all(flood);
      }
      expect(await wrong(START + 2)).toBe('ok');
    });
  });
}
