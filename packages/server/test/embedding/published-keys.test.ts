import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { ApiError } from '@parley/client';
import { Actor, createWorld, ManualClock, type World } from '@parley/testing';
import { describeCluster } from '@parley/testing/contracts/tested-engine.ts';
import { type PageServer, startPageServer } from '@parley/testing/providers/page-server.ts';
import { failure } from '@parley/testing/world/failure.ts';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { theService } from '../../calls/unit-queue.ts';
import { readJwksRule } from '../../outbound/endpoint-rule.ts';
import { GuardedFetch } from '../../outbound/guarded-fetch.ts';
import { PublishedKeys } from '../../people/published-keys.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const unauthenticated = { status: 401, code: 'unauthenticated' };
const unavailableFor = (seconds: number) => ({
  status: 503,
  code: 'unavailable',
  parameters: { retry_after: seconds },
});

interface Key {
  jwk: JWK;
  privateKey: CryptoKey;
}

/** A key as identity providers publish it; an empty `kid` leaves its name out. */
async function makeKey(kid: string): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { jwk: { ...(await exportJWK(publicKey)), ...(kid !== '' && { kid }), alg: 'ES256', use: 'sig' }, privateKey };
}

const clock = new ManualClock();
let provider: PageServer;
let world: World;
let [one, two]: Key[] = [];
beforeAll(async () => {
  provider = await startPageServer();
  world = await createWorld({ clock, env: { JWKS_ENDPOINTS: provider.origin } });
  await world.person('team');
  [one, two] = [await makeKey('one'), await makeKey('two')];
});
afterAll(async () => {
  await world.close();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => {
  provider.asked.length = 0;
  world.logs.length = 0;
});

const setOf = (...keys: readonly (Key | undefined)[]): string => JSON.stringify({ keys: keys.map((key) => key?.jwk) });
const answer =
  (body: string, status = 200, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);
const publish = (...keys: readonly (Key | undefined)[]): void => void (provider.answer = answer(setOf(...keys)));
const warnings = ({ logs } = world): unknown[] =>
  logs.filter(({ msg }) => msg.startsWith('failed to fetch the public keys')).map(({ reason }) => reason);

let backends = 0;
/** A backend whose keys are published by the provider, which has just answered with `keys`. */
async function trusting(keys: readonly (Key | undefined)[], { at = world, url = `${provider.origin}/jwks` } = {}) {
  const name = `shop${(backends += 1)}`;
  const issuer = `https://${name}.example`;
  const run = (unit: string, input: object) => at.service.units.run(unit, theService, input, at.service.clock.now());
  const trust = (jwksUrl: string | null) =>
    run('setBackendIssuer', { name, owner: 'team', issuer, audience: 'parley', jwks: setOf(...keys), jwksUrl });
  await trust(url);
  const sign = (key: Key | undefined, kid = key?.jwk.kid): Promise<string> => {
    if (!key) throw new Error('a key is made before it signs');
    const iat = Math.floor(at.service.clock.now() / 1_000);
    return new SignJWT({ iss: issuer, aud: 'parley', sub: '7', name: 'Ann', iat, exp: iat + 7_200 })
      .setProtectedHeader({ alg: 'ES256', ...(kid !== undefined && { kid }) })
      .sign(key.privateKey);
  };
  const exchange = async (jwt: string) => new Actor(at, '', '').api.exchangeUserToken({ jwt });
  return {
    run,
    trust,
    forge: () => sign(two, randomUUID()),
    exchange,
    enter: async (key: Key | undefined) => exchange(await sign(key)),
    stored: async () =>
      (await at.sql<{ key: number; jwks: string | null }>('SELECT key, jwks FROM backends WHERE name = $1', name))[0],
    name,
  };
}

test('TOKEN-18: a JWT with a new key has the set fetched once and is accepted; a known key causes no request', async () => {
  const { enter } = await trusting([one]);
  publish(one, two);
  await clock.advance(MINUTE_MS);
  await enter(one);
  expect(provider.asked).toEqual([]);
  for (let times = 0; times < 3; times += 1) await enter(two);
  await enter(one);
  expect(provider.asked).toEqual(['/jwks']);
});

test('TOKEN-18: a new key of a set whose keys have no names is found too', async () => {
  const [old, fresh] = [await makeKey(''), await makeKey('')];
  const { enter } = await trusting([old]);
  publish(fresh);
  await clock.advance(MINUTE_MS);
  await enter(fresh);
  await clock.advance(MINUTE_MS);
  expect(await failure(enter(old))).toMatchObject(unauthenticated);
});

test('TOKEN-18: of two keys without names, the new one is accepted once the provider has removed the old one', async () => {
  const [old, fresh] = [await makeKey(''), await makeKey('')];
  const { enter } = await trusting([old, fresh]);
  publish(fresh);
  await clock.advance(MINUTE_MS);
  await enter(fresh);
});

test('TOKEN-20: a set with keys that the service does not understand still adds and removes its other keys', async () => {
  const { enter } = await trusting([one]);
  const strange = [
    { kty: 'AKP', kid: 'three', pub: 'AA' },
    { ...one?.jwk, kid: 'four', x: 'AA' },
  ];
  provider.answer = answer(JSON.stringify({ keys: [...strange, two?.jwk] }));
  await clock.advance(HOUR_MS);
  await enter(two);
  await clock.advance(MINUTE_MS);
  expect(await failure(enter(one))).toMatchObject(unauthenticated);
});

test('TOKEN-18: a removed key is refused when the set is an hour old, and until then causes no request', async () => {
  const { enter } = await trusting([one, two]);
  publish(two);
  await clock.advance(HOUR_MS - 1);
  await enter(one);
  expect(provider.asked).toEqual([]);
  await clock.advance(1);
  expect(await failure(enter(one))).toMatchObject(unauthenticated);
  await enter(two);
  expect(provider.asked).toEqual(['/jwks']);
});

test(
  'TOKEN-19: 1,000 forged JWTs at once cause one request of a node, and another one a minute later',
  { tags: ['long'] },
  async () => {
    const { forge, exchange, enter } = await trusting([one]);
    publish(one);
    expect(await failure(exchange(await forge()))).toMatchObject(unavailableFor(60));
    expect(provider.asked).toEqual([]);
    await clock.advance(MINUTE_MS);
    const jwts = await Promise.all(Array.from({ length: 1_000 }, forge));
    const errors = await Promise.all(jwts.map((jwt) => failure(exchange(jwt))));
    // JWTs that arrive after the fetch are unavailable: their key may be newer than the fetched set.
    const isRefused = (error: unknown): boolean => error instanceof ApiError && error.status === 401;
    expect(errors.some(isRefused)).toBe(true);
    for (const error of errors) expect(error).toMatchObject(isRefused(error) ? unauthenticated : unavailableFor(60));
    expect(provider.asked.length).toBeLessThanOrEqual(world.services.length);
    provider.asked.length = 0;
    await clock.advance(MINUTE_MS - 1);
    await failure(exchange(await forge()));
    await enter(one);
    expect(provider.asked).toEqual([]);
    await clock.advance(1);
    await failure(exchange(await forge()));
    expect(provider.asked).toEqual(['/jwks']);
  },
);

test('TOKEN-19: the keys of a backend whose owner is disabled are not fetched', async () => {
  const { run, exchange, forge, enter } = await trusting([one]);
  await clock.advance(HOUR_MS);
  await run('switchAccount', { username: 'team', isDisabled: true });
  for (const refused of [exchange(await forge()), enter(one)])
    expect(await failure(refused)).toMatchObject(unauthenticated);
  await run('switchAccount', { username: 'team', isDisabled: false });
  expect(provider.asked).toEqual([]);
});

test('TOKEN-19: a call that needs the set while it is being fetched waits for it', async () => {
  world.stayOnFirst();
  const { enter } = await trusting([one]);
  await clock.advance(MINUTE_MS);
  const joined = Promise.withResolvers<unknown>();
  provider.answer = (_request, response) => {
    joined.resolve(failure(enter(two)));
    // Answered after the call above, which would otherwise be refused by now.
    void enter(one).then(() => response.end(setOf(one, two)));
  };
  await enter(two);
  expect(await joined.promise).toBeUndefined();
  expect(provider.asked).toEqual(['/jwks']);
});

test('TOKEN-19, TOKEN-20: a call waits at most 5 s for a set; the stored one stays, and there is one attempt a minute', async () => {
  world.stayOnFirst();
  const { enter, exchange, forge } = await trusting([one]);
  await clock.advance(HOUR_MS);
  const closed = new Promise<void>((resolve) => {
    provider.answer = (_request, response) => {
      response.on('close', resolve).write('{"keys":');
      void clock.advance(5_000);
    };
  });
  const entered = [enter(one), enter(one), exchange(await forge())].map(failure);
  expect(await Promise.all(entered)).toEqual([undefined, undefined, expect.objectContaining(unavailableFor(55))]);
  await closed;
  await enter(one);
  expect(provider.asked).toEqual(['/jwks']);
  expect(warnings()).toEqual(['it did not answer within 5 seconds']);
});

test('TOKEN-19: a JWT with a new key is unavailable until a minute after the fetch that a forged JWT caused, then accepted', async () => {
  world.stayOnFirst();
  const { forge, exchange, enter } = await trusting([one]);
  publish(one);
  await clock.advance(MINUTE_MS);
  expect(await failure(exchange(await forge()))).toMatchObject(unauthenticated);
  publish(one, two);
  await clock.advance(20_500);
  expect(await failure(enter(two))).toMatchObject(unavailableFor(40));
  await enter(one);
  await clock.advance(39_500);
  await enter(two);
  expect(provider.asked).toEqual(['/jwks', '/jwks']);
});

test('TOKEN-19, ERR-11: over HTTP the time is also in the header', async () => {
  const { forge } = await trusting([one]);
  const body = JSON.stringify({ jwt: await forge() });
  const headers = { 'content-type': 'application/json' };
  const answered = await fetch(`${world.url}/api/exchangeUserToken`, { method: 'POST', headers, body });
  expect([answered.status, answered.headers.get('retry-after')]).toEqual([503, '60']);
});

test('TOKEN-19: a set that could not be stored is fetched again after a minute, not before', async () => {
  publish(two);
  const guarded = new GuardedFetch(readJwksRule(() => provider.origin));
  const faults: unknown[] = [];
  const kept: string[] = [];
  const keys = new PublishedKeys({
    clock,
    fetch: guarded.fetch,
    async keep({ jwks }) {
      if (faults.length === 0) throw new Error('the store cannot write');
      kept.push(jwks);
    },
    onNoKeys: (_backend, reason) => faults.push(reason),
    onFault: (error) => faults.push(error),
  });
  const issuer = { key: 1, name: 'shop', jwks_url: `${provider.origin}/jwks`, jwks_fetched_at: null };
  const renew = async (): Promise<unknown> => [await keys.renew(issuer), keys.retryAfterMs(issuer)];
  expect(await renew()).toEqual([false, MINUTE_MS]);
  await clock.advance(MINUTE_MS - 1);
  expect(await renew()).toEqual([false, 1]);
  expect(provider.asked).toEqual(['/jwks']);
  await clock.advance(1);
  expect(await renew()).toEqual([true, MINUTE_MS]);
  expect(provider.asked).toEqual(['/jwks', '/jwks']);
  expect(faults).toEqual([new Error('the store cannot write')]);
  expect(kept).toEqual([setOf(two)]);
  guarded.close();
});

const endless: RequestListener = (_request, response) => {
  const more = (): void => void (response.writable && response.write(' '.repeat(4_096), () => setImmediate(more)));
  more();
};

test('TOKEN-20: an answer that is no key set is logged once a minute, and the stored set stays in use', async () => {
  world.stayOnFirst();
  const secret = { kty: 'oct', k: 'c2VjcmV0', kid: 'one' };
  const { enter, exchange, forge } = await trusting([one]);
  await clock.advance(HOUR_MS);
  const bad: [RequestListener, reason: unknown][] = [
    [answer('down', 503), 'it answered with status 503'],
    [answer('', 302, { location: `${provider.origin}/private` }), 'it answered with status 302'],
    [answer('<html>'), 'it is not JSON'],
    [answer('{"keys":[]}'), expect.stringContaining('keys')],
    [answer(JSON.stringify({ keys: [secret] })), expect.stringContaining('kty')],
    [answer(JSON.stringify({ keys: [{ ...one?.jwk, d: 'AA' }] })), expect.stringContaining('private key')],
    [answer(JSON.stringify({ keys: [{ ...one?.jwk, x: 'AA' }] })), 'none of its keys can be used: a key is malformed'],
    [answer(setOf(...Array.from({ length: 21 }, () => one))), 'more than 20 of its keys can be used'],
    [answer(setOf(two), 200, { 'content-encoding': 'gzip' }), 'its answer is compressed'],
    [endless, 'it is too large'],
    [(request) => void request.socket.destroy(), 'it could not be reached'],
  ];
  for (const [listener] of bad) {
    provider.answer = listener;
    expect(await failure(exchange(await forge()))).toMatchObject(unavailableFor(60));
    await enter(one);
    await clock.advance(MINUTE_MS);
  }
  expect(provider.asked).toEqual(bad.map(() => '/jwks'));
  expect(warnings()).toEqual(bad.map(([, reason]) => reason));
  publish(one, two);
  await enter(two);
});

test('TOKEN-20: during an outage of the provider, a restarted service accepts the keys that it had fetched', async () => {
  const { enter } = await trusting([one]);
  publish(two);
  await clock.advance(MINUTE_MS);
  await enter(two);
  provider.answer = (request) => void request.socket.destroy();
  await world.restart();
  await enter(two);
  expect(provider.asked).toEqual(['/jwks']);
  await clock.advance(HOUR_MS);
  await enter(two);
});

test('TOKEN-20, CONFIG-28: an address that the operator has not listed gets no request', async () => {
  world.stayOnFirst();
  const url = `http://127.0.0.1:${Number(new URL(provider.origin).port) + 1}/jwks`;
  const { enter } = await trusting([one], { url });
  await clock.advance(HOUR_MS);
  await enter(one);
  expect(warnings()).toEqual([expect.stringContaining('JWKS_ENDPOINTS')]);
});

test('CONFIG-28: with JWKS_ENDPOINTS=none the service fetches no keys, and verifies JWTs with those that it has', async () => {
  const time = new ManualClock();
  await using closed = await createWorld({ clock: time, env: { JWKS_ENDPOINTS: 'none' } });
  closed.stayOnFirst();
  await closed.person('team');
  for (const url of ['https://keys.example/jwks', `${provider.origin}/jwks`]) {
    const { enter } = await trusting([one], { at: closed, url });
    await time.advance(HOUR_MS);
    await enter(one);
    expect(await failure(enter(two))).toMatchObject(unavailableFor(60));
  }
  expect(warnings(closed)).toEqual(Array(2).fill(expect.stringContaining('JWKS_ENDPOINTS')));
  expect(provider.asked).toEqual([]);
});

test.each(['revoke', 'trust with a file', 'trust with another address'])(
  'TOKEN-21: a set that arrives after backends %s is not stored',
  async (command) => {
    const backend = await trusting([one]);
    await clock.advance(HOUR_MS);
    provider.answer = (_request, response) => {
      const done =
        command === 'revoke'
          ? backend.run('revokeBackend', { name: backend.name })
          : backend.trust(command === 'trust with a file' ? null : 'https://keys.example/');
      void done.then(() => response.end(setOf(two)));
    };
    expect(await failure(backend.enter(two))).toMatchObject(unauthenticated);
    expect(provider.asked).toEqual(['/jwks']);
    expect((await backend.stored())?.jwks).toBe(command === 'revoke' ? null : setOf(one));
  },
);

test('TOKEN-21: of two fetches the set of the later one stays, unless its time is in the future', async () => {
  const { run, stored } = await trusting([one]);
  const now = world.service.clock.now();
  const backendKey = (await stored())?.key;
  const url = `${provider.origin}/jwks`;
  const keep = (jwks: string, fetchedAt: number) => run('keepBackendKeys', { backendKey, url, jwks, fetchedAt });
  await keep('later', now + 10_000);
  await clock.advance(20_000);
  await keep('earlier', now + 5_000);
  expect((await stored())?.jwks).toBe('later');
  await keep('of a fast clock', now + HOUR_MS);
  await keep('now', now + 20_000);
  expect((await stored())?.jwks).toBe('now');
});

describeCluster('Several nodes', () => {
  test(
    'TOKEN-18, TOKEN-19: a set that one node has fetched is used by the other, which does not fetch it too',
    { tags: ['long'] },
    async () => {
      const shared = new ManualClock();
      await using nodes = await createWorld({ clock: shared, nodes: 2, env: { JWKS_ENDPOINTS: provider.origin } });
      await nodes.person('team');
      const { enter, exchange, forge } = await trusting([one], { at: nodes });
      publish(two);
      await shared.advance(MINUTE_MS);
      for (const at of [0, 1, 0, 1]) {
        nodes.balancer.choose = (urls) => urls[at];
        await enter(two);
        expect(await failure(exchange(await forge()))).toMatchObject(unavailableFor(60));
        expect(await failure(enter(one))).toMatchObject(unavailableFor(60));
      }
      expect(provider.asked).toEqual(['/jwks']);
    },
  );
});
