import { createApi } from '@parley/client';
import { createWorld, ManualClock, type World } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { defaultSettings } from '../../core/settings.ts';
import { setRole } from '../helpers/every-operation.ts';
import { rowsIn } from '../helpers/rows-in.ts';

const password = 'correct horse battery staple';
const FROZEN = 'the pauses of several nodes go by the clock of Redis';
// A service behind a proxy must not accept development tokens.
const env = { RATE_LIMITS: '1', TRUSTED_PROXIES: '127.0.0.1', DEV_TOKENS: '0' };

/** The status of a signIn from an address, and its retry-after. */
async function signIn(
  world: World,
  address: string,
  input: { username: string; password: string; device_token?: string },
) {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
  const response = await fetch(`${world.url}/api/signIn`, { method: 'POST', headers, body: JSON.stringify(input) });
  return {
    status: response.status,
    retryAfter: Number(response.headers.get('retry-after')),
    text: await response.text(),
  };
}
const api = (world: World, token?: string) => createApi({ url: world.url, ...(token !== undefined && { token }) });

embeddedTest(FROZEN)(
  'AUTH-19: of 80 guesses from 16 addresses five are checked; an unknown username gets the same answers',
  async () => {
    await using world = await createWorld({ env, clock: new ManualClock() });
    await world.member('nora');
    for (const username of ['nora', 'nobody_at_all']) {
      const answers = await Promise.all(
        Array.from({ length: 80 }, (_, at) =>
          signIn(world, `198.51.100.${at % 16}`, { username, password: `guess ${at}` }),
        ),
      );
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(75);
      expect(await signIn(world, '198.51.100.99', { username, password })).toMatchObject({
        status: 429,
        retryAfter: 1,
      });
    }
  },
);

embeddedTest(FROZEN)(
  'AUTH-20: strangers’ wrong passwords do not lock out a device that has signed in before',
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ env, clock });
    const { device_token } = await api(world).signUp({ username: 'nora', password });
    expect(device_token).toMatch(/^d_[\w-]{43}$/);
    const other = await api(world).signUp({ username: 'otto', password });
    const guess = (address: string) => signIn(world, address, { username: 'nora', password: 'wrong guess' });
    for (let at = 1; at <= 5; at += 1) expect(await guess('198.51.100.1')).toMatchObject({ status: 401 });
    const right = { username: 'nora', password };
    // The owner may share the attacker's address, as behind the same router.
    for (const address of ['198.51.100.1', '198.51.100.2']) {
      expect(await signIn(world, address, right)).toMatchObject({ status: 429 });
      expect(await signIn(world, address, { ...right, device_token: other.device_token })).toMatchObject({
        status: 429,
      });
      expect(await signIn(world, address, { ...right, device_token: 'd_made_up' })).toMatchObject({ status: 429 });
    }
    expect(await signIn(world, '198.51.100.1', { ...right, device_token })).toMatchObject({ status: 200 });
    // A right password resets the strangers' count.
    expect(await signIn(world, '198.51.100.2', right)).toMatchObject({ status: 200 });
    // A thief of the device token cannot guess faster than a stranger.
    for (let at = 1; at <= 5; at += 1)
      expect(await signIn(world, `203.0.113.${at}`, { ...right, password: 'wrong', device_token })).toMatchObject(
        at === 5 ? { status: 429, retryAfter: 12 } : { status: 401 },
      );
  },
);

test('AUTH-20: signIn returns the device token it was given, otherwise a new one; an account has at most 50', async () => {
  expect(defaultSettings.devicesPerAccount).toBe(50);
  await using world = await createWorld({ settings: { devicesPerAccount: 3 } });
  const { device_token } = await api(world).signUp({ username: 'nora', password });
  const again = await api(world).signIn({ username: 'nora', password, device_token });
  expect(again.device_token).toBe(device_token);
  const fresh = await api(world).signIn({ username: 'nora', password });
  expect(fresh.device_token).not.toBe(device_token);
  expect(await rowsIn(world, 'device_tokens')).toBe(2);
  const stored = await world.sql<{ token_hash: Uint8Array }>('SELECT token_hash FROM device_tokens');
  expect(stored.every(({ token_hash }) => token_hash.length === 32)).toBe(true);
  for (let more = 0; more < 3; more += 1) await api(world).signIn({ username: 'nora', password });
  expect(await rowsIn(world, 'device_tokens')).toBe(3);
  // Its only person is also the service's last owner.
  await setRole(world, 'nora', 'member');
  await api(world, fresh.token).deleteAccount({ password });
  expect(await rowsIn(world, 'device_tokens')).toBe(0);
});

test('AUTH-21: signOut keeps the device token; terminateSession, terminateOtherSessions and changePassword delete those of the other devices', async () => {
  await using world = await createWorld();
  const own = await api(world).signUp({ username: 'nora', password });
  const enter = () => api(world).signIn({ username: 'nora', password });
  const known = () => rowsIn(world, 'device_tokens');
  const me = api(world, own.token);

  await api(world, (await enter()).token).signOut();
  expect(await known()).toBe(2);
  const lost = await enter();
  expect(await known()).toBe(3);
  await me.terminateSession({ session_id: lost.session.id });
  expect(await known()).toBe(2);
  await me.terminateOtherSessions();
  expect(await known()).toBe(1);
  await enter();
  await me.changePassword({ old_password: password, new_password: 'battery staple horse' });
  expect(await known()).toBe(1);
  const back = await api(world).signIn({
    username: 'nora',
    password: 'battery staple horse',
    device_token: own.device_token,
  });
  expect(back.device_token).toBe(own.device_token);
});

test('AUTH-20: a flood of sign-ins from unknown devices does not delay known devices', async () => {
  await using world = await createWorld({ env });
  world.stayOnFirst();
  const { device_token } = await api(world).signUp({ username: 'nora', password });
  let answered = 0;
  // Long enough for a sign-in that also waits for PostgreSQL and Redis, as on several nodes.
  const flood = Array.from({ length: 40 }, (_, at) =>
    signIn(world, `198.51.100.${at}`, { username: `name${at}`, password: 'wrong' }).finally(() => (answered += 1)),
  );
  // Once its first attempt is answered, the rest of the flood is in the queue.
  await Promise.race(flood);
  expect(await signIn(world, '203.0.113.1', { username: 'nora', password, device_token })).toMatchObject({
    status: 200,
  });
  expect(answered).toBeLessThan(30);
  await Promise.all(flood);
});
