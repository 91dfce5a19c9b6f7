import { Actor, createWorld, ManualClock, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { theService } from '@parley/server/calls/unit-queue.ts';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Backend } from '@parley/testing/world/backend.ts';

const ISSUER = 'https://shop.example';
const unauthenticated = { status: 401, code: 'unauthenticated' };
type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

const clock = new ManualClock();
let world: World;
let team: Actor;
let keys: Keys;
beforeAll(async () => {
  world = await createWorld({ clock, env: { SIGN_UP: 'closed' } });
  team = await world.person('team');
  keys = await generateKeyPair('ES256', { extractable: true });
  await trust('shop', ISSUER, [keys]);
});
afterAll(() => world.close());

async function trust(name: string, issuer: string, pairs: readonly Keys[]): Promise<void> {
  const jwks = JSON.stringify({ keys: await Promise.all(pairs.map(({ publicKey }) => exportJWK(publicKey))) });
  const input = { name, owner: 'team', issuer, audience: 'parley', jwks, jwksUrl: null };
  await world.service.units.run('setBackendIssuer', theService, input, clock.now());
}

const claims = (more: Record<string, unknown> = {}): JWTPayload => ({
  iss: ISSUER,
  aud: 'parley',
  sub: 'user-7',
  name: 'Ann',
  iat: Math.floor(clock.now() / 1_000),
  exp: Math.floor(clock.now() / 1_000) + 600,
  ...more,
});
const sign = (more: Record<string, unknown> = {}, { privateKey } = keys, alg = 'ES256') =>
  new SignJWT(claims(more)).setProtectedHeader({ alg }).sign(privateKey);
const exchange = async (jwt: string | Promise<string>) =>
  new Actor(world, '', '').api.exchangeUserToken({ jwt: await jwt });

test('TOKEN-14: a JWT of a backend opens the account of its user, the same that createUserToken opens', async () => {
  const { id: chat_id } = await team.api.startChat({ usernames: [], title: 'Help' });
  const opened = await exchange(sign({ chat_ids: [chat_id], agent_username: 'parley:guide' }));
  expect(opened).toMatchObject({ account: { username: 'user_7', display_name: 'Ann' }, chat_id: expect.any(String) });
  const ann = new Actor(world, 'user_7', opened.token);
  await ann.api.sendMessage({ chat_id, text: 'hello' });
  expect(await failure(ann.api.startChat({ username: 'team' }))).toMatchObject({ status: 403 });
  const backend = await Backend.make(world, 'team', 'shop');
  expect((await backend.createToken('user-7', { display_name: 'Ann' })).account.username).toBe('user_7');
});

test('TOKEN-14: a JWT with another key, issuer, audience or algorithm, or without a valid time, is 401', async () => {
  const seconds = Math.floor(clock.now() / 1_000);
  const other = await generateKeyPair('ES256');
  const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(keys.publicKey)));
  const good = await sign();
  const [head = '', , signature = ''] = good.split('.');
  const forged = Buffer.from(JSON.stringify(claims({ sub: 'team' }))).toString('base64url');
  const bad: Record<string, string> = {
    'another key': await sign({}, other),
    'a changed claim': `${head}.${forged}.${signature}`,
    'no signature': new UnsecuredJWT(claims()).encode(),
    'a shared secret': await new SignJWT(claims()).setProtectedHeader({ alg: 'HS256' }).sign(secret),
    'another audience': await sign({ aud: 'elsewhere' }),
    'no audience': await sign({ aud: undefined }),
    'an unknown issuer': await sign({ iss: 'https://elsewhere.example' }),
    'a number as issuer': await sign({ iss: 7 }),
    'an object as issuer': await sign({ iss: {} }),
    'an issuer with NUL': await sign({ iss: `${ISSUER}\0` }),
    'no issuer': await sign({ iss: undefined }),
    'no expiry': await sign({ exp: undefined }),
    'no time of issue': await sign({ iat: undefined }),
    'issued in the future': await sign({ iat: seconds + 11 }),
    expired: await sign({ exp: seconds }),
    'just expired': await sign({ exp: seconds - 1 }),
    'not valid yet': await sign({ nbf: seconds + 31 }),
    malformed: 'a.b.c',
    'no JWT': 'hello',
  };
  for (const [what, jwt] of Object.entries(bad))
    expect([what, await failure(exchange(jwt))]).toMatchObject([what, unauthenticated]);
  // The backend's clock may be ahead.
  expect(await exchange(sign({ nbf: seconds + 29 }))).toMatchObject({ account: { username: 'user_7' } });
  for (const more of [
    { name: undefined },
    { name: 'Parley' },
    { sub: undefined },
    { sub: '' },
    { chat_ids: 'all' },
    { name: 7 },
  ])
    expect([more, await failure(exchange(sign(more)))]).toMatchObject([more, { status: 400 }]);
  expect(await failure(exchange('x'.repeat(8_193)))).toMatchObject({ status: 400 });
});

test('TOKEN-14: each of several keys is accepted, and none of a backend that is no longer trusted or whose owner is disabled', async () => {
  const pairs = [await generateKeyPair('ES256'), await generateKeyPair('EdDSA'), await generateKeyPair('RS256')];
  const issuer = 'https://second.example';
  await trust('second', issuer, pairs);
  const algorithms = ['ES256', 'EdDSA', 'RS256'];
  const jwts = await Promise.all(pairs.map((pair, at) => sign({ iss: issuer }, pair, algorithms[at])));
  const accounts = [];
  for (const jwt of jwts) accounts.push((await exchange(jwt)).account.username);
  expect(new Set(accounts).size).toBe(1);
  expect(accounts).not.toContain('user_7');
  await trust('second', issuer, pairs.slice(1));
  expect(await failure(exchange(jwts[0] ?? ''))).toMatchObject(unauthenticated);
  await world.service.units.run('revokeBackend', theService, { name: 'second' }, clock.now());
  expect(await failure(exchange(jwts[1] ?? ''))).toMatchObject(unauthenticated);
});

test('TOKEN-15: the token expires with the JWT, at the latest a day after its iat, as the JWT does', async () => {
  const seconds = Math.floor(clock.now() / 1_000);
  const short = await exchange(sign({ exp: seconds + 90 }));
  expect(Date.parse(short.expires_at)).toBe((seconds + 90) * 1_000);
  const long = (iat: number) => exchange(sign({ iat, exp: seconds + 30 * 86_400 }));
  expect(Date.parse((await long(seconds - 100)).expires_at)).toBe((seconds - 100 + 86_400) * 1_000);
  expect(await failure(long(seconds - 86_400))).toMatchObject(unauthenticated);
  const ann = new Actor(world, 'user_7', short.token);
  await ann.api.getMe();
  await clock.advance(90_000);
  expect(await failure(ann.api.getMe())).toMatchObject(unauthenticated);
});

test('TOKEN-16: a JWT from before a removal or a leave adds its user to no group, a later one does', async () => {
  const { id: first } = await team.api.startChat({ usernames: [], title: 'First' });
  const { id: second } = await team.api.startChat({ usernames: [], title: 'Second' });
  const jwt = await sign({ sub: 'guest', chat_ids: [first] });
  const { account, token } = await exchange(jwt);
  const guest = new Actor(world, account.username, token);
  const groups = async () => (await guest.api.getChats()).items.map(({ id }) => id);
  expect(await groups()).toEqual([first]);
  await team.api.removeMember({ chat_id: first, username: account.username });
  for (const old of [jwt, await sign({ sub: 'guest', chat_ids: [first, second] })])
    expect((await exchange(old)).account.username).toBe(account.username);
  expect(await groups()).toEqual([]);
  await clock.advance(1_000);
  const later = await sign({ sub: 'guest', chat_ids: [second] });
  await exchange(later);
  await guest.api.leaveChat({ chat_id: second });
  await exchange(later);
  expect(await groups()).toEqual([]);
  await clock.advance(1_000);
  await exchange(sign({ sub: 'guest', chat_ids: [first, second] }));
  expect(await groups()).toHaveLength(2);
});

test('TOKEN-16: a JWT from before deleteUser is 401, also when the backend has made another account; a later one is not', async () => {
  const backend = await Backend.make(world, 'team', 'shop');
  const jwt = await sign({ sub: 'leaver' });
  const { account } = await exchange(jwt);
  await backend.deleteUser('leaver');
  expect(await failure(exchange(jwt))).toMatchObject(unauthenticated);
  const again = await backend.createToken('leaver');
  expect(again.account.username).not.toBe(account.username);
  expect(await failure(exchange(jwt))).toMatchObject(unauthenticated);
  await clock.advance(1_000);
  expect((await exchange(sign({ sub: 'leaver' }))).account.username).toBe(again.account.username);
  await backend.deleteUser('leaver');
  const remembered = async () => (await world.sql('SELECT id_hash FROM deleted_backend_users')).length;
  const forget = (later: number) => world.lead.units.run('forgetSessions', theService, {}, clock.now() + later);
  await forget(86_399_999);
  expect(await remembered()).toBe(1);
  await forget(86_400_000);
  expect(await remembered()).toBe(0);
});
