import { createWorld, ManualClock, type World } from '@parley/testing';
import { addSignIn, type FakeSignIn } from '@parley/testing/tools/fake-sign-in.ts';
import { type FakeToolServer, startToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { agentWith, comeBack, given, PUBLIC, toolsOf } from './tool-stage.ts';

const oauth = { identity: 'asker', auth: 'oauth' } as const;

let server: FakeToolServer;
let signIn: FakeSignIn;
let clock: ManualClock;
let world: World;
beforeEach(async () => {
  server = await startToolServer({ peek: {} });
  signIn = addSignIn(server);
  clock = new ManualClock();
  world = await createWorld({ clock, env: { TOOL_ENDPOINTS: server.origin, PUBLIC_URL: PUBLIC, DEV_TOKENS: '1' } });
});
afterEach(async () => {
  expect(JSON.stringify(world.logs)).not.toMatch(/access-\d|refresh-\d/);
  await world.close();
  await server[Symbol.asyncDispose]();
});

async function signedIn(name: string) {
  const ann = await world.person(name);
  const username = await agentWith(ann, given(server, oauth));
  const { url } = await ann.api.startToolLogin({ username, server: 'bank' });
  const back = signIn.approve(url);
  const done = await comeBack(world, back);
  return { ann, username, url, back, done, ...(await toolsOf(world, username, name)) };
}

test('TOOL-21, TOOL-22: a person signs in to a server, which registers the service, and calls bear the token', async () => {
  const { ann, username, url, back, done, call } = await signedIn('ann');
  const asked = new URL(url).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    response_type: 'code',
    client_id: 'client-1',
    code_challenge_method: 'S256',
    redirect_uri: `${PUBLIC}/oauth/tools/callback`,
    scope: 'tools',
    resource: server.url,
  });
  expect(signIn.registered).toMatchObject([
    { client_name: 'Parley', token_endpoint_auth_method: 'none', application_type: 'web', scope: 'tools' },
  ]);
  expect(done.asked).toContain('@ann');
  expect([done.status, done.page]).toEqual([200, expect.stringContaining('You are signed in')]);
  expect(await call({ tool: 'peek' })).toMatchObject({ status: 'done' });
  expect(server.calls.map(({ token }) => token)).toEqual(['access-1']);
  const [mine] = (await ann.api.getToolServers({ username })).items;
  expect(mine).toMatchObject({ has_credential: true, state: 'ok' });
  // The state is good once, and an unknown one is refused.
  expect((await comeBack(world, back)).asked).toContain('has expired');
  expect((await comeBack(world, `${PUBLIC}/oauth/tools/callback?code=x&state=y`)).asked).toContain('has expired');
  expect(JSON.stringify([mine, await world.sql('SELECT sealed FROM tool_credentials')])).not.toContain('access-1');
});

test('TOOL-21: a login ends after ten minutes, and with the server that it was for', async () => {
  const ann = await world.person('ann');
  const username = await agentWith(ann, given(server, oauth));
  const start = async () => signIn.approve((await ann.api.startToolLogin({ username, server: 'bank' })).url);
  const first = await start();
  const second = await start();
  expect((await comeBack(world, first)).asked).toContain('has expired');
  await agentWith(ann, given(server, { ...oauth, identity: 'owner' }));
  expect((await comeBack(world, second)).asked).toContain('has expired');
  const third = await start();
  await clock.advance(10 * 60_000);
  expect((await comeBack(world, third)).asked).toContain('has expired');
  await agentWith(ann, given(server, { identity: 'asker', auth: 'bearer' }));
  await expect(start()).rejects.toMatchObject({ code: 'invalid_argument' });
});

test('TOOL-21: a code that comes back twice at once is redeemed once', async () => {
  const ann = await world.person('ann');
  const username = await agentWith(ann, given(server, oauth));
  const back = signIn.approve((await ann.api.startToolLogin({ username, server: 'bank' })).url);
  const confirmed = `${back.replace(PUBLIC, world.url)}&confirm=1`;
  const statuses = (await Promise.all([fetch(confirmed), fetch(confirmed)])).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400]);
  expect((await ann.api.getToolServers({ username })).items).toMatchObject([{ has_credential: true }]);
});

test('TOOL-21: the page names the agent, and says if everybody who asks it uses the login', async () => {
  const ann = await world.person('ann');
  for (const [identity, words] of [
    ['asker', 'when @ann asks it'],
    ['owner', 'for everybody who asks it'],
  ] as const) {
    const username = await agentWith(ann, given(server, { ...oauth, identity }));
    const back = signIn.approve((await ann.api.startToolLogin({ username, server: 'bank' })).url);
    const { asked } = await comeBack(world, back);
    expect(asked).toContain(`@${username} will use your login`);
    expect(asked).toContain(words);
  }
});

test('TOOL-22: the id of the client is the address of a document about it, where the server takes one', async () => {
  signIn.takesDocuments = true;
  const { url, done } = await signedIn('ann');
  const id = new URL(url).searchParams.get('client_id') ?? '';
  expect(id).toBe(`${PUBLIC}/oauth/tools/client.json`);
  expect(signIn.registered).toEqual([]);
  expect(done.status).toBe(200);
  const response = await fetch(id.replace(PUBLIC, world.url));
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(await response.json()).toMatchObject({ client_id: id, redirect_uris: [`${PUBLIC}/oauth/tools/callback`] });
});

test('TOOL-23: tokens are refreshed before they expire, and when they are refused, once for all calls at once', async () => {
  const { call } = await signedIn('ann');
  await clock.advance(3_600_000);
  const calls = [call({ tool: 'peek' }), call({ tool: 'peek', callId: 'b' }), call({ tool: 'peek', callId: 'c' })];
  // One of them refreshes; the others look again by the clock.
  await Promise.race(calls);
  await clock.advance(200);
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(['done', 'done', 'done']);
  expect(signIn.refreshes).toEqual(['refresh-1']);
  server.tokens = [];
  const before = server.calls.length;
  expect(await call({ tool: 'peek', callId: 'd' })).toMatchObject({ status: 'done' });
  expect([signIn.refreshes.length, server.calls.length - before]).toEqual([2, 1]);
});

test('TOOL-23: a login that its server has ended is a login again; one that is removed is revoked', async () => {
  const { ann, username, call } = await signedIn('ann');
  signIn.isEnded = true;
  server.tokens = [];
  expect(await call({ tool: 'peek' })).toEqual({ status: 'login' });
  expect((await ann.api.getToolServers({ username })).items).toMatchObject([{ state: 'login', has_credential: false }]);
  signIn.isEnded = false;
  const { url } = await ann.api.startToolLogin({ username, server: 'bank' });
  expect((await comeBack(world, signIn.approve(url))).status).toBe(200);
  expect(await call({ tool: 'peek' })).toMatchObject({ status: 'done' });
  await ann.api.removeToolCredential({ username, server: 'bank' });
  expect(signIn.revoked).toEqual(['refresh-2']);
  expect(await call({ tool: 'peek' })).toEqual({ status: 'login' });
});

test('TOOL-23: a login outlives an authorization server that is down for a moment', async () => {
  const { ann, username, call } = await signedIn('ann');
  signIn.isDown = true;
  server.tokens = [];
  const text = expect.stringContaining('its sign-in gives no answer of use');
  expect(await call({ tool: 'peek' })).toMatchObject({ status: 'failed', text });
  expect((await ann.api.getToolServers({ username })).items).toMatchObject([
    { state: 'unreachable', has_credential: true },
  ]);
  signIn.isDown = false;
  expect(await call({ tool: 'peek', callId: 'b' })).toMatchObject({ status: 'done' });
});

test('TOOL-21: where people sign in, and for which scopes, is what the server says when it refuses a listing', async () => {
  signIn.describedAt = '/elsewhere/described.json';
  server.challenge = `Bearer resource_metadata="${server.origin}${signIn.describedAt}", scope="look"`;
  signIn.metadata = { scopes_supported: ['look', 'offline_access'] };
  const { url, call } = await signedIn('ann');
  // With the scope that the authorization server wants for tokens that can be refreshed.
  expect(new URL(url).searchParams.get('scope')).toBe('look offline_access');
  expect(await call({ tool: 'peek' })).toMatchObject({ status: 'done' });
});

test('TOOL-21: there is no login to a server that says it is another one, for which the tokens would be good', async () => {
  const env = { TOOL_ENDPOINTS: server.origin, PUBLIC_URL: PUBLIC, DEV_TOKENS: '1' };
  await using other = await createWorld({ env, expectsErrors: true });
  const ann = await other.person('ann');
  const username = await agentWith(ann, given(server, oauth));
  signIn.resource = 'https://bank.example/mcp';
  await expect(ann.api.startToolLogin({ username, server: 'bank' })).rejects.toMatchObject({
    code: 'invalid_argument',
  });
  expect(signIn.registered).toEqual([]);
});

test.each(['client_secret_basic', 'client_secret_post'])(
  'TOOL-22: the service registers with a way to show itself that the authorization server takes: %s',
  async (method) => {
    signIn.metadata = { token_endpoint_auth_methods_supported: [method, 'private_key_jwt'] };
    const { ann, username } = await signedIn('ann');
    expect(signIn.registered).toMatchObject([{ token_endpoint_auth_method: method }]);
    await ann.api.removeToolCredential({ username, server: 'bank' });
    expect(signIn.revoked).toEqual(['refresh-1']);
  },
);

/** Lets the server refuse its requests of these methods, for which the login was not given this scope. */
function wants(scope: string, methods = ['tools/call']) {
  const answer = server.answer;
  server.answer = (request, response, rpc, body) => {
    if (!rpc || !methods.includes(rpc.method) || request.headers.authorization === undefined)
      return answer?.(request, response, rpc, body);
    response.writeHead(403, { 'www-authenticate': `Bearer error="insufficient_scope", scope=${scope}` }).end();
    return true;
  };
  return { [Symbol.dispose]: () => void (server.answer = answer) };
}

const scopeIn = (url: string) => new URL(url).searchParams.get('scope');

test('TOOL-24: a call for which a login was not given enough is a login for more, once', async () => {
  const { ann, username, call } = await signedIn('ann');
  const login = async () => (await ann.api.startToolLogin({ username, server: 'bank' })).url;
  {
    using _ = wants('"pay"');
    expect(await call({ tool: 'peek' })).toEqual({ status: 'login' });
    expect(signIn.refreshes).toEqual([]);
    const url = await login();
    expect(scopeIn(url)).toBe('tools pay');
    expect((await comeBack(world, signIn.approve(url))).status).toBe(200);
    // Another login would change nothing.
    expect(await call({ tool: 'peek' })).toMatchObject({ status: 'failed', text: expect.stringContaining('403') });
  }
  expect(await call({ tool: 'peek' })).toMatchObject({ status: 'done' });
  // A later login gives up nothing.
  expect(scopeIn(await login())).toBe('tools pay');
});

test('TOOL-24: a login asks for what all calls before it have lacked', async () => {
  const { ann, username, call } = await signedIn('ann');
  for (const scope of ['"pay"', 'send']) {
    using _ = wants(scope);
    expect(await call({ tool: 'peek' })).toEqual({ status: 'login' });
  }
  expect(scopeIn((await ann.api.startToolLogin({ username, server: 'bank' })).url)).toBe('tools pay send');
});

test('TOOL-24: what a call lacked is noted also while fresh tokens are asked for', async () => {
  const { ann, username, call } = await signedIn('ann');
  using _ = wants('pay');
  await world.sql(`UPDATE tool_credentials SET refreshing_until = ${clock.now() + 30_000}`);
  const ended = vi.fn<() => void>();
  const outcome = call({ tool: 'peek' }).finally(ended);
  let looks = 0;
  await vi.waitUntil(
    async () => {
      looks += 1;
      if (looks === 10) await world.sql('UPDATE tool_credentials SET refreshing_until = 0');
      await clock.advance(200);
      return ended.mock.calls.length > 0;
    },
    { timeout: 20_000 },
  );
  expect(await outcome).toEqual({ status: 'login' });
  expect(scopeIn((await ann.api.startToolLogin({ username, server: 'bank' })).url)).toBe('tools pay');
});

test('TOOL-24: a server that wants more already of a connection wants a login', async () => {
  const { call } = await signedIn('ann');
  using _ = wants('pay', ['server/discover', 'initialize']);
  expect(await call({ tool: 'peek' })).toEqual({ status: 'login' });
});
