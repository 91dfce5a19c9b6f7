import { hash, randomBytes } from 'node:crypto';
import type { TokenScope } from '@parley/protocol';
import { Actor, createWorld, ManualClock, type World } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { failure } from '@parley/testing/world/failure.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const BACK = 'https://program.example/back?from=parley';
const verifier = randomBytes(32).toString('base64url');

type Fields = Record<string, string>;
interface Answer {
  status: number;
  body: Fields;
}

const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  body: (await response.json()) as Fields, // of these endpoints
});
const register = async (metadata: unknown, stage = world): Promise<Answer> =>
  answerOf(
    await fetch(`${stage.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    }),
  );
const idOf = async (stage = world, redirect_uris: string[] = [BACK]) =>
  (await register({ client_name: 'A program', redirect_uris }, stage)).body['client_id'] ?? '';
const exchange = async (fields: Fields, stage = world): Promise<Answer> =>
  answerOf(await fetch(`${stage.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) }));

const requestOf = (client_id: string, more: Fields = {}) => ({
  client_id,
  redirect_uri: BACK,
  response_type: 'code' as const,
  code_challenge: hash('sha256', verifier, 'base64url'),
  code_challenge_method: 'S256' as const,
  state: 'a state',
  ...more,
});

interface Granted {
  scopes?: TokenScope[];
  chat_ids?: string[];
  expires_in?: number;
}

/** The code that the program gets when the person grants it. */
async function codeFor(person: Actor, client_id: string, { scopes = ['read'], ...more }: Granted = {}) {
  const { url } = await person.api.grantProgram({ ...requestOf(client_id), scopes, ...more });
  return new URL(url).searchParams.get('code') ?? '';
}
const byCode = (client_id: string, code: string): Fields => ({
  grant_type: 'authorization_code',
  client_id,
  code,
  code_verifier: verifier,
  redirect_uri: BACK,
});
const byRefresh = (client_id: string, refresh_token: string): Fields => ({
  grant_type: 'refresh_token',
  client_id,
  refresh_token,
});

/** A program that a person has let in. */
async function letIn(person: Actor, given: Granted = {}, stage = world) {
  const client_id = await idOf(stage);
  const { body } = await exchange(byCode(client_id, await codeFor(person, client_id, given)), stage);
  const { access_token: token = '', refresh_token: refresh = '' } = body;
  return { client_id, body, refresh, script: new Actor(stage, person.username, token) };
}

const wrongGrant = { status: 400, body: { error: 'invalid_grant' } };
const refused = { status: 401 };

test('MCPS-8: /mcp says where a token is to be had, and the metadata leads to every endpoint', async () => {
  const response = await fetch(`${world.url}/mcp`, { method: 'POST' });
  const header = response.headers.get('www-authenticate') ?? '';
  const resource = /resource_metadata="([^"]+)"/.exec(header)?.[1] ?? '';
  expect(resource).toBe(`${world.url}/.well-known/oauth-protected-resource/mcp`);
  expect(header).toContain('scope="read send manage"');
  const { body: own } = await answerOf(await fetch(resource));
  expect(own).toMatchObject({ resource: `${world.url}/mcp`, authorization_servers: [world.url] });
  const { body } = await answerOf(await fetch(`${world.url}/.well-known/oauth-authorization-server`));
  expect(body).toMatchObject({
    issuer: world.url,
    authorization_endpoint: `${world.url}/oauth/authorize`,
    token_endpoint: `${world.url}/oauth/token`,
    registration_endpoint: `${world.url}/oauth/register`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
  });
});

test('MCPS-10, MCPS-14: a program gets an access token for what a person grants, and is listed, named and audited', async () => {
  const ann = await world.member();
  const [{ id: inside }, { id: outside }] = [await world.group(ann), await world.group(ann)];
  const client_id = await idOf();
  const asked = await ann.api.getProgramRequest(requestOf(client_id, { scope: 'read send openid' }));
  expect(asked).toMatchObject({ name: 'A program', place: 'program.example', scopes: ['read', 'send'] });
  const declined = new URL(asked.declined_url);
  expect(declined.origin + declined.pathname).toBe('https://program.example/back');
  expect(Object.fromEntries(declined.searchParams)).toEqual({
    from: 'parley',
    error: 'access_denied',
    state: 'a state',
  });
  expect((await ann.api.getAccessTokens()).items).toEqual([]);

  const { script, body } = await letIn(ann, { scopes: ['send', 'read'], chat_ids: [inside], expires_in: 86_400 });
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'send read' });
  expect((await script.api.getChats()).items.map(({ id }) => id)).toEqual([inside]);
  expect(await failure(script.api.getChat({ chat_id: outside }))).toMatchObject({ status: 404 });
  expect(await failure(script.api.setChatTitle({ chat_id: inside, title: 'x' }))).toMatchObject({ status: 403 });
  expect(await script.api.sendMessage({ chat_id: inside, text: 'hello' })).toMatchObject({
    via: { name: 'A program' },
  });
  const { items } = await ann.api.getAccessTokens();
  expect(items).toMatchObject([{ name: 'A program', client: 'program.example', chat_ids: [inside] }]);
  const [listed] = items;
  expect(Date.parse(listed?.expires_at ?? '') - Date.parse(listed?.created_at ?? '')).toBe(86_400_000);
  const rows = await world.sql<{ action: string }>('SELECT action FROM audit ORDER BY key');
  expect(rows.map(({ action }) => action)).toContain('grantProgram');
  await ann.api.revokeAccessToken({ id: listed?.id ?? '' });
  expect(await failure(script.api.getMe())).toMatchObject(refused);
});

test('MCPS-10, MCPS-11: what is no right request sends nobody anywhere', async () => {
  const ann = await world.member();
  const bot = await world.bot(ann);
  const client_id = await idOf(world, [BACK, 'http://127.0.0.1:8000/back', 'http://localhost/back']);
  const ask = (more: Fields, by = ann) => by.api.getProgramRequest(requestOf(client_id, more));
  for (const more of [
    { client_id: 'pc_none' },
    { client_id: `${client_id}x` },
    { client_id: client_id.slice(0, -1) },
    { redirect_uri: 'https://program.example/back' },
    { redirect_uri: `${BACK}&more` },
    { redirect_uri: 'https://program.example.evil.example/back?from=parley' },
    { redirect_uri: 'https://127.0.0.1:8000/back' },
    { redirect_uri: 'http://127.0.0.1:8000/other' },
    { redirect_uri: 'http://127.0.0.1:8000@evil.example/back' },
    { code_challenge_method: 'plain' },
    { code_challenge: 'short' },
    { response_type: 'token' },
    { resource: 'https://elsewhere.example/mcp' },
    { resource: `${world.url}/other` },
  ])
    expect([more, await failure(ask(more))]).toMatchObject([more, { status: 400 }]);
  expect(await ask({ redirect_uri: 'http://127.0.0.1:9/back' })).toMatchObject({ place: null });
  await ask({ resource: `${world.url}/mcp` });
  expect(await failure(ask({}, bot))).toMatchObject({ status: 403 });
  const { script } = await letIn(ann, { scopes: ['read', 'send', 'manage'] });
  expect(await failure(ask({}, script))).toMatchObject({ status: 403 });
  const grant = (more: object) => ann.api.grantProgram({ ...requestOf(client_id), scopes: ['read'], ...more });
  expect(await failure(grant({ scope: 'read', scopes: ['send'] }))).toMatchObject({ status: 400 });
  expect(await failure(grant({ chat_ids: [(await world.group(await world.member())).id] }))).toMatchObject({
    status: 404,
  });
});

test('MCPS-11, MCPS-13: programs register with harmless addresses and names; nothing is stored', async () => {
  const tables = async () => (await world.sql<{ n: number }>('SELECT count(*) AS n FROM access_tokens'))[0]?.n;
  const before = await tables();
  const good = [
    'https://a.example/b',
    'http://localhost:1/',
    'http://[::1]:1/b',
    'cursor://app/callback',
    'com.example.app://b',
  ];
  expect(await register({ client_name: 'Good', redirect_uris: good })).toMatchObject({ status: 201 });
  for (const redirect_uris of [
    undefined,
    [],
    'https://a.example',
    ['http://a.example/'],
    ['javascript://a.example/%0aalert(1)'],
    ['JavaScript:alert(1)'],
    ['data:text/html,x'],
    ['file:///etc/passwd'],
    ['https://a@b.example/'],
    ['https://a.example/#b'],
    ['https://a.example/ b'],
    [`https://a.example/${'x'.repeat(600)}`],
    Array.from({ length: 21 }, (_, at) => `https://a.example/${at}`),
  ])
    expect([redirect_uris, await register({ redirect_uris })]).toMatchObject([
      redirect_uris,
      { status: 400, body: { error: 'invalid_redirect_uri' } },
    ]);
  for (const more of [
    { client_name: 'Parley' },
    { client_name: 'P\u0430rley login' },
    { client_name: 'x'.repeat(1_000) },
    { client_name: 'a\u202eb' },
    { client_name: 7 },
    { token_endpoint_auth_method: 'client_secret_basic' },
    { redirect_uris: Array.from({ length: 10 }, (_, at) => `https://a.example/${'x'.repeat(400)}${at}`) },
  ])
    expect([more, await register({ redirect_uris: [BACK], ...more })]).toMatchObject([
      more,
      { status: 400, body: { error: 'invalid_client_metadata' } },
    ]);
  expect(await tables()).toBe(before);
});

test('MCPS-15: a code is exchanged once, within a minute, by its program with its secret', async () => {
  const ann = await world.member();
  const [client_id, other] = [await idOf(), await idOf(world, [BACK, 'https://other.example/'])];
  const code = await codeFor(ann, client_id);
  const right = byCode(client_id, code);
  for (const wrong of [
    { client_id: other },
    { code_verifier: randomBytes(32).toString('base64url') },
    { redirect_uri: 'https://program.example/back' },
    { code: `${code}x` },
  ])
    expect([wrong, await exchange({ ...right, ...wrong })]).toMatchObject([wrong, wrongGrant]);
  expect(await exchange({ ...right, resource: 'https://elsewhere.example/mcp' })).toMatchObject({
    status: 400,
    body: { error: 'invalid_target' },
  });
  const { code_verifier: _secret, ...without } = right;
  expect(await exchange(without)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  expect(await exchange({ ...right, grant_type: 'password' })).toMatchObject({
    body: { error: 'unsupported_grant_type' },
  });
  const { body } = await exchange(right);
  const script = new Actor(world, ann.username, body['access_token'] ?? '');
  const socket = await script.socket();
  // A second use: the code was stolen, and so the grant ends.
  expect(await exchange(right)).toMatchObject(wrongGrant);
  expect(await socket.closed).toMatchObject({ code: 4401 });
  expect(await failure(script.api.getMe())).toMatchObject(refused);
  expect(await exchange(byRefresh(client_id, body['refresh_token'] ?? ''))).toMatchObject(wrongGrant);
  expect((await ann.api.getAccessTokens()).items).toEqual([]);
});

test('MCPS-15: of two exchanges of one code at once at most one gets a token, and none keeps it', async () => {
  const ann = await world.member();
  const client_id = await idOf();
  const code = await codeFor(ann, client_id);
  const answers = await Promise.all([1, 2, 3].map(() => exchange(byCode(client_id, code))));
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  for (const { body } of answers) {
    const { api } = new Actor(world, ann.username, body['access_token'] ?? 'at_none');
    expect(await failure(api.getMe())).toMatchObject(refused);
  }
});

test('MCPS-16: a refresh token is used once: it ends the bearer before, and a second use ends the grant', async () => {
  const ann = await world.member();
  const { client_id, refresh, script } = await letIn(ann);
  expect(await exchange(byRefresh(await idOf(world, ['https://other.example/']), refresh))).toMatchObject(wrongGrant);
  const { body: second } = await exchange(byRefresh(client_id, refresh));
  expect(await failure(script.api.getMe())).toMatchObject(refused);
  const renewed = new Actor(world, ann.username, second['access_token'] ?? '');
  expect(await renewed.api.getMe()).toMatchObject({ username: ann.username });
  // A guess with the right form ends nothing.
  const guess = `rt_${randomBytes(32).toString('base64url')}${randomBytes(32).toString('base64url')}`;
  expect(await exchange(byRefresh(client_id, guess))).toMatchObject(wrongGrant);
  const { body: third } = await exchange(byRefresh(client_id, second['refresh_token'] ?? ''));
  expect(await exchange(byRefresh(client_id, refresh))).toMatchObject(wrongGrant);
  const last = new Actor(world, ann.username, third['access_token'] ?? '');
  expect(await failure(last.api.getMe())).toMatchObject(refused);
  expect((await ann.api.getAccessTokens()).items).toEqual([]);
});

embeddedTest('an hour of a cluster takes minutes')(
  'MCPS-14, MCPS-16: codes end after a minute, bearers after an hour with their sockets, grants at their time',
  async () => {
    const clock = new ManualClock();
    await using timed = await createWorld({ clock });
    const ann = await timed.person('ann');
    const client_id = await idOf(timed);
    const code = await codeFor(ann, client_id);
    await clock.advance(60_000);
    expect(await exchange(byCode(client_id, code), timed)).toMatchObject(wrongGrant);
    const { script, refresh, client_id: own } = await letIn(ann, { expires_in: 7_200 }, timed);
    const socket = await script.socket();
    await clock.advance(3_600_000);
    expect(await failure(script.api.getMe())).toMatchObject(refused);
    await clock.advance(2_000);
    expect(await socket.closed).toMatchObject({ code: 4401 });
    const { body } = await exchange(byRefresh(own, refresh), timed);
    const renewed = new Actor(timed, 'ann', body['access_token'] ?? '');
    await renewed.api.getMe();
    await clock.advance(3_600_000);
    expect(await exchange(byRefresh(own, body['refresh_token'] ?? ''), timed)).toMatchObject(wrongGrant);
    expect((await ann.api.getAccessTokens()).items).toEqual([]);
  },
);

test('MCPS-16, ACCESS-5: the grant of a deleted account ends', async () => {
  const ann = await world.member();
  const { client_id, refresh, script } = await letIn(ann);
  await ann.api.deleteAccount({ password: 'correct horse battery staple' });
  expect(await failure(script.api.getMe())).toMatchObject(refused);
  expect(await exchange(byRefresh(client_id, refresh))).toMatchObject(wrongGrant);
});
