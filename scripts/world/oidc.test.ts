import { createHash, randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { PassThrough } from 'node:stream';
import { runAdmin } from '@parley/server/admin/command.ts';
import { systemClock } from '@parley/server/core/clock.ts';
import { Actor, createWorld, ManualClock } from '@parley/testing';
import { needs } from '@parley/testing/programs/needs.ts';
import { startPageServer } from '@parley/testing/providers/page-server.ts';
import { failure } from '@parley/testing/world/failure.ts';
import { decodeProtectedHeader, exportJWK, generateKeyPair, type JWK } from 'jose';
import { expect, test } from 'vitest';
import { fromNpm, PATIENCE_MS } from './installed.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const client = { client_id: 'shop', client_secret: 'secret', redirect_uri: 'https://shop.example/callback' };

/** The class of the package, as documented. */
type Provider = new (issuer: string, options: object) => { callback(): RequestListener };

async function makeKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' };
}

/** Signs in as a browser does, with the provider's own pages, and returns the ID token. */
async function signIn(issuer: string, login: string): Promise<string> {
  const cookies = new Map<string, string>();
  const go = async (to: string, form?: Record<string, string>): Promise<Response> => {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const body = form && { method: 'POST', body: new URLSearchParams(form) };
    const response = await fetch(to, { ...body, redirect: 'manual', headers: { cookie, connection: 'close' } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  const code_verifier = randomBytes(32).toString('base64url');
  const asked = new URL('/auth', issuer);
  asked.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: client.redirect_uri,
    response_type: 'code',
    scope: 'openid profile',
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  let response = await go(asked.href);
  for (;;) {
    const text = await response.text();
    const location = response.headers.get('location');
    if (location?.startsWith(client.redirect_uri)) {
      const code = new URL(location).searchParams.get('code') ?? '';
      const answer = await go(`${issuer}/token`, { ...client, grant_type: 'authorization_code', code, code_verifier });
      const { id_token } = (await answer.json()) as { id_token: string }; // OpenID Connect Core, section 3.1.3.3
      return id_token;
    }
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(text) ?? [];
    const [, action] = /action="([^"]+)"/.exec(text) ?? [];
    if (location !== null) response = await go(new URL(location, issuer).href);
    else if (prompt && action) response = await go(new URL(action, issuer).href, { prompt, login, password: 'any' });
    else throw new Error(`the provider answers ${response.status}: ${text}`);
  }
}

test(
  'TOKEN-14, TOKEN-18: users of oidc-provider enter with its ID tokens, also after it has changed its keys',
  { ...needs('bash'), timeout: PATIENCE_MS },
  async () => {
    await using packages = await fromNpm({ 'oidc-provider': '9.13.3' });
    const { default: Provider } = (await packages.load('oidc-provider')) as { default: Provider };
    await using server = await startPageServer();
    const serve = (keys: readonly JWK[], more: object = { conformIdTokenClaims: false }): void => {
      const { redirect_uri, ...credentials } = client;
      const provider = new Provider(server.origin, {
        clients: [{ ...credentials, redirect_uris: [redirect_uri], token_endpoint_auth_method: 'client_secret_post' }],
        claims: { openid: ['sub'], profile: ['name'] },
        findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, name: `Dear ${id}` }) }),
        cookies: { keys: ['a key'] },
        ttl: { IdToken: 3 * 3_600 },
        jwks: { keys },
        ...more,
      });
      server.answer = provider.callback();
    };
    const [one, two] = [await makeKey('one'), await makeKey('two')];
    serve([one], {});

    const clock = new ManualClock(Date.now());
    const env = { JWKS_ENDPOINTS: server.origin };
    await using world = await createWorld({ nodes: 0, clock, env });
    await world.person('team');
    const said = new PassThrough();
    const trust = ['trust', 'shop', '--owner', 'team', '--issuer', server.origin, '--audience', client.client_id];
    const code = await runAdmin(['backends', ...trust, '--keys', `${server.origin}/jwks`], {
      env: { ...env, DATA_DIR: world.dataDir },
      clock: systemClock,
      stdin: new PassThrough().end(),
      stdout: said,
      stderr: said,
    });
    expect([code, String(said.read() ?? '')]).toEqual([0, expect.stringContaining('shop')]);

    const { api } = new Actor(world, '', '');
    const enter = async (jwt: string) => {
      const { token, account } = await api.exchangeUserToken({ jwt });
      return new Actor(world, account.username, token);
    };
    // In its usual configuration it leaves the name to its endpoint for user info.
    expect(await failure(enter(await signIn(server.origin, 'ann')))).toMatchObject({ status: 400 });

    serve([one]);
    const early = await signIn(server.origin, 'ann');
    const ann = await enter(early);
    expect(await ann.api.getMe()).toMatchObject({ display_name: 'Dear ann' });

    serve([two, one]);
    const late = await signIn(server.origin, 'ann');
    expect([early, late].map((jwt) => decodeProtectedHeader(jwt).kid)).toEqual(['one', 'two']);
    await clock.advance(MINUTE_MS);
    expect((await enter(late)).username).toBe(ann.username);
    expect((await enter(early)).username).toBe(ann.username);

    serve([two]);
    await clock.advance(HOUR_MS);
    expect(await failure(enter(early))).toMatchObject({ status: 401 });
    expect((await enter(late)).username).toBe(ann.username);
  },
);
