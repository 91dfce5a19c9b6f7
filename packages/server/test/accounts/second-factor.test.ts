import { createApi } from '@parley/client';
import { Actor, createWorld, ManualClock, type World } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { newTotpSecret, totpCode } from '../../secrets/totp.ts';
import { setRole } from '../helpers/every-operation.ts';

const password = 'correct horse battery staple';
const STEP_MS = 30_000;
const apiOf = (world: World, token?: string) => createApi({ url: world.url, ...(token !== undefined && { token }) });
type Api = ReturnType<typeof apiOf>;
const needsCode = { status: 403, parameters: { field: 'code' } };

/** A service at a time of its own, and a person with an app on a phone. */
async function scene(env: Record<string, string> = {}) {
  const clock = new ManualClock();
  const world = await createWorld({ clock, env });
  const { token } = await apiOf(world).signUp({ username: 'ann', password });
  const api = apiOf(world, token);
  const signIn = (code?: string, given = password) =>
    apiOf(world).signIn({ username: 'ann', password: given, ...(code !== undefined && { code }) });
  /** What the app shows now, or so many steps later. */
  const shown = (secret: string, later = 0) => totpCode(secret, Math.floor(clock.now() / STEP_MS) + later);
  const turnOn = async (from: Api = api) => {
    const { secret } = await from.startSecondFactor({ password });
    const { recovery_codes: codes } = await from.confirmSecondFactor({ code: shown(secret) });
    await clock.advance(STEP_MS);
    return { secret, codes };
  };
  return { clock, world, api, signIn, shown, turnOn, [Symbol.asyncDispose]: () => world.close() };
}

test('FACTOR-1, FACTOR-2: a second factor counts from its first right code on; then a password alone does not sign in', async () => {
  await using at = await scene();
  const { api, signIn, shown } = at;
  expect(await api.getSecondFactor()).toEqual({ on: false, recovery_codes_left: 0, required: false });
  await expect(api.startSecondFactor({ password: 'wrong guess' })).rejects.toMatchObject({
    status: 403,
    parameters: { field: 'password' },
  });
  const { secret, url } = await api.startSecondFactor({ password });
  expect(url).toBe(`otpauth://totp/Parley:ann?secret=${secret}&issuer=Parley`);
  // Nobody is locked out by an app that has not taken the secret.
  await signIn();
  await expect(api.confirmSecondFactor({ code: shown(newTotpSecret()) })).rejects.toMatchObject(needsCode);
  const { recovery_codes: codes } = await api.confirmSecondFactor({ code: shown(secret) });
  expect(codes).toHaveLength(10);
  expect(await api.getSecondFactor()).toMatchObject({ on: true, recovery_codes_left: 10 });
  await expect(signIn()).rejects.toMatchObject(needsCode);
  await expect(signIn('000000')).rejects.toMatchObject(needsCode);
  // Who does not know the password learns nothing of it.
  await expect(signIn(shown(secret, 1), 'wrong guess')).rejects.toMatchObject({ status: 401 });
  expect((await signIn(shown(secret, 1))).account.username).toBe('ann');
  await expect(api.startSecondFactor({ password })).rejects.toMatchObject({ status: 409 });
});

test('FACTOR-1: a secret waits ten minutes for its first code, and a later one takes its place', async () => {
  await using at = await scene();
  const { api, clock, shown } = at;
  const first = await api.startSecondFactor({ password });
  const { secret } = await api.startSecondFactor({ password });
  await expect(api.confirmSecondFactor({ code: shown(first.secret) })).rejects.toMatchObject(needsCode);
  await clock.advance(601_000);
  await expect(api.confirmSecondFactor({ code: shown(secret) })).rejects.toMatchObject({ status: 409 });
  expect(await api.getSecondFactor()).toMatchObject({ on: false });
});

test('FACTOR-3: each code signs in once, also of ten at the same moment; an earlier one does not come back', async () => {
  await using at = await scene();
  const { api, clock, world, signIn, shown, turnOn } = at;
  const { secret, codes } = await turnOn();
  const counts = async (code: string) =>
    (await Promise.allSettled(Array.from({ length: 10 }, () => signIn(code)))).filter(
      ({ status }) => status === 'fulfilled',
    ).length;
  const now = shown(secret);
  expect(await counts(now)).toBe(1);
  expect(await counts(shown(secret, -1))).toBe(0);
  expect(await counts(codes[0] ?? '')).toBe(1);
  // As people copy them.
  await signIn(` ${codes[1]?.toLowerCase().replaceAll('-', ' ')} `);
  expect((await api.getSecondFactor()).recovery_codes_left).toBe(8);
  await clock.advance(STEP_MS);
  const fresh = await api.createRecoveryCodes({ code: shown(secret) });
  expect((await api.getSecondFactor()).recovery_codes_left).toBe(10);
  await expect(signIn(codes[2])).rejects.toMatchObject(needsCode);
  await signIn(fresh.recovery_codes[0]);
  // The operator has lost the key under which the secret was sealed.
  await world.sql("UPDATE second_factors SET sealed = 'v1:gone:AAAA'");
  await signIn(fresh.recovery_codes[1]);
});

test('FACTOR-3: a clock that is set back locks nobody out, and makes no code count twice', async () => {
  await using at = await scene();
  const { clock, signIn, shown, turnOn } = at;
  const { secret } = await turnOn();
  clock.step(-86_400_000);
  await signIn(shown(secret));
  await expect(signIn(shown(secret))).rejects.toMatchObject(needsCode);
  await expect(signIn(shown(secret, -1))).rejects.toMatchObject(needsCode);
  await signIn(shown(secret, 1));
});

embeddedTest('the pauses of several nodes go by the clock of Redis')(
  'FACTOR-4: wrong codes are paused by account, and a right password does not end the pause',
  async () => {
    await using at = await scene({ RATE_LIMITS: '1' });
    const { clock, signIn, shown, turnOn } = at;
    const { secret } = await turnOn();
    for (let wrong = 0; wrong < 8; wrong += 1) {
      // Longer than the pause, and few enough for the rate of one address.
      await clock.advance(61_000);
      await expect(signIn(`00000${wrong}`)).rejects.toMatchObject({ status: 403 });
    }
    await expect(signIn(shown(secret))).rejects.toMatchObject({ status: 429 });
    await clock.advance(16 * 60_000);
    await signIn(shown(secret));
  },
);

test('FACTOR-5: it is turned off with the password and a code, and its secret is in no answer, log or export', async () => {
  await using at = await scene();
  const { api, clock, world, signIn, shown, turnOn } = at;
  const { secret, codes } = await turnOn();
  await expect(api.removeSecondFactor({ password, code: '000000' })).rejects.toMatchObject(needsCode);
  await expect(api.removeSecondFactor({ password: 'wrong guess', code: shown(secret) })).rejects.toMatchObject({
    status: 403,
  });
  const stored = JSON.stringify([
    await world.sql('SELECT * FROM second_factors'),
    await world.sql('SELECT * FROM recovery_codes'),
    await world.sql('SELECT * FROM audit'),
    world.logs,
  ]);
  for (const hidden of [secret, ...codes]) expect(stored).not.toContain(hidden);
  await clock.advance(STEP_MS);
  await api.removeSecondFactor({ password, code: shown(secret) });
  await signIn();
  expect(await world.sql('SELECT * FROM recovery_codes')).toEqual([]);
  await expect(api.removeSecondFactor({ password, code: shown(secret) })).rejects.toMatchObject({ status: 409 });
  await expect(api.createRecoveryCodes({ code: shown(secret) })).rejects.toMatchObject({ status: 409 });
});

test('FACTOR-6: where the owner requires one, who lacks it signs in again and can only set it up', async () => {
  await using at = await scene();
  const { api: owner, world, shown, turnOn, clock } = at;
  await setRole(world, 'ann', 'owner');
  const other = await apiOf(world).signUp({ username: 'ben', password });
  const ben = apiOf(world, other.token);
  const member = apiOf(world, (await apiOf(world).signUp({ username: 'cleo', password })).token);
  await setRole(world, 'ben', 'admin');
  await expect(ben.setServiceSettings({ second_factor: 'admins' })).rejects.toMatchObject({ status: 403 });
  await expect(owner.setServiceSettings({ second_factor: 'admins' })).rejects.toMatchObject({ status: 409 });
  await turnOn(owner);
  const socket = await new Actor(world, 'ben', other.token).socket();
  expect(await owner.setServiceSettings({ second_factor: 'admins' })).toMatchObject({ second_factor: 'admins' });
  await socket.closed;
  await expect(ben.getMe()).rejects.toMatchObject({ status: 401 });

  const again = await apiOf(world).signIn({ username: 'ben', password });
  expect(again.needs_second_factor).toBe(true);
  const limited = apiOf(world, again.token);
  expect((await limited.getMe()).username).toBe('ben');
  for (const call of [
    () => limited.getChats(),
    () => limited.getAccounts({}),
    () => limited.createAccessToken({ name: 'x', scopes: ['read'] }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 403, description: expect.stringContaining('second factor') });
  await expect(new Actor(world, 'ben', again.token).socket()).rejects.toThrow();
  expect(await limited.getSecondFactor()).toMatchObject({ on: false, required: true });
  const { secret } = await turnOn(limited);
  await limited.getAccounts({});
  await expect(limited.removeSecondFactor({ password, code: shown(secret) })).rejects.toMatchObject({ status: 409 });

  // Members are free until they become admins, or all need one.
  await member.getChats();
  await clock.advance(STEP_MS);
  await setRole(world, 'cleo', 'admin');
  await expect(member.getMe()).rejects.toMatchObject({ status: 401 });
});

test('FACTOR-7: an admin turns off the factor of somebody below, whose sessions end; nobody else does', async () => {
  await using at = await scene();
  const { api, world, signIn, turnOn } = at;
  await turnOn();
  const ben = apiOf(world, (await apiOf(world).signUp({ username: 'ben', password })).token);
  await setRole(world, 'ben', 'owner');
  await setRole(world, 'ann', 'member');
  await setRole(world, 'ben', 'moderator');
  await expect(ben.resetSecondFactor({ username: 'ann' })).rejects.toMatchObject({ status: 403 });
  await setRole(world, 'ben', 'admin');
  await ben.resetSecondFactor({ username: 'ann' });
  await expect(api.getMe()).rejects.toMatchObject({ status: 401 });
  await signIn();
  const rows = await world.sql("SELECT action, target FROM audit WHERE action LIKE '%SecondFactor' ORDER BY key");
  expect(rows).toEqual([
    { action: 'confirmSecondFactor', target: 'ann' },
    { action: 'resetSecondFactor', target: 'ann' },
  ]);
});
