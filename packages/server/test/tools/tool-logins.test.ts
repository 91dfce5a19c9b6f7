import { createWorld, ManualClock, type World } from '@parley/testing';
import { addSignIn, type FakeSignIn } from '@parley/testing/tools/fake-sign-in.ts';
import { type FakeToolServer, startToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agentWith, given, toolsOf } from './tool-stage.ts';

const PUBLIC = 'https://chat.example';
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

/** The page to which a browser comes back, and the one behind its link. */
async function comeBack(url: string): Promise<{ asked: string; status: number; page: string }> {
  const here = new URL(url.replace(PUBLIC, world.url));
  const asked = await (await fetch(here)).text();
  const link = /href="([^"]+)"/.exec(asked)?.[1]?.replaceAll('&amp;', '&');
  if (link === undefined) return { asked, status: 0, page: '' };
  const response = await fetch(new URL(link, world.url));
  return { asked, status: response.status, page: await response.text() };
}

async function signedIn(name: string) {
  const ann = await world.person(name);
  const username = await agentWith(ann, given(server, oauth));
  const { url } = await ann.api.startToolLogin({ username, server: 'bank' });
  const back = signIn.approve(url);
  const done = await comeBack(back);
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
  expect(signIn.registered).toMatchObject([{ client_name: 'Parley', token_endpoint_auth_method: 'none' }]);
  expect(done.asked).toContain('@ann');
  expect([done.status, done.page]).toEqual([200, expect.stringContaining('You are signed in')]);
  expect(await call({ tool: 'peek' })).toMatchObject({ status: 'done' });
  expect(server.calls.map(({ token }) => token)).toEqual(['access-1']);
  const [mine] = (await ann.api.getToolServers({ username })).items;
  expect(mine).toMatchObject({ has_credential: true, state: 'ok' });
  // The state is good once, and an unknown one is refused.
  expect((await comeBack(back)).asked).toContain('has expired');
  expect((await comeBack(`${PUBLIC}/oauth/tools/callback?code=x&state=y`)).asked).toContain('has expired');
  expect(JSON.stringify([mine, await world.sql('SELECT sealed FROM tool_credentials')])).not.toContain('access-1');
});

test('TOOL-21: a login ends after ten minutes, and with the server that it was for', async () => {
  const ann = await world.person('ann');
  const username = await agentWith(ann, given(server, oauth));
  const start = async () => signIn.approve((await ann.api.startToolLogin({ username, server: 'bank' })).url);
  const first = await start();
  const second = await start();
  expect((await comeBack(first)).asked).toContain('has expired');
  await agentWith(ann, given(server, { ...oauth, identity: 'owner' }));
  expect((await comeBack(second)).asked).toContain('has expired');
  const third = await start();
  await clock.advance(10 * 60_000);
  expect((await comeBack(third)).asked).toContain('has expired');
  await agentWith(ann, given(server, { identity: 'asker', auth: 'bearer' }));
  await expect(start()).rejects.toMatchObject({ code: 'invalid_argument' });
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
  expect((await comeBack(signIn.approve(url))).status).toBe(200);
  expect(await call({ tool: 'peek' })).toMatchObject({ status: 'done' });
  await ann.api.removeToolCredential({ username, server: 'bank' });
  expect(signIn.revoked).toEqual(['refresh-2']);
  expect(await call({ tool: 'peek' })).toEqual({ status: 'login' });
});
