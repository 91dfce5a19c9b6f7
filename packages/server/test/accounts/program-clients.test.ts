import { hash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Actor, createWorld, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { expect, test } from 'vitest';

/** A web server of a program. */
async function webServer(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Where the program is sent back to: nothing listens there, because the test takes the code from the address. */
const BACK = 'http://127.0.0.1:4711/back';

/** What the official client keeps of a program, and where it sends its person. */
function providerOf() {
  let secret = '';
  const kept: {
    client?: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0];
    tokens?: Parameters<OAuthClientProvider['saveTokens']>[0];
    page?: URL;
  } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: BACK,
    clientMetadata: { client_name: 'The official client', redirect_uris: [BACK], token_endpoint_auth_method: 'none' },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (page) => void (kept.page = page),
    saveCodeVerifier: (given) => void (secret = given),
    codeVerifier: () => secret,
  };
  return { provider, kept };
}

/** What a person does on the consent page. */
async function consent(person: Actor, page: URL): Promise<URLSearchParams> {
  const request = Object.fromEntries(page.searchParams) as unknown as Parameters<Actor['api']['getProgramRequest']>[0];
  const asked = await person.api.getProgramRequest({ ...request, issuer: page.origin });
  const { url } = await person.api.grantProgram({ ...request, issuer: page.origin, scopes: asked.scopes });
  return new URL(url).searchParams;
}

async function connected(world: World, person: Actor, { provider, kept }: ReturnType<typeof providerOf>) {
  const url = new URL('/mcp', world.url);
  const first = new StreamableHTTPClientTransport(url, { authProvider: provider });
  await expect(new Client({ name: 'test', version: '1' }).connect(first)).rejects.toThrow();
  if (!kept.page) throw new Error('the client asks for no consent');
  expect(kept.page.origin + kept.page.pathname).toBe(`${world.url}/oauth/authorize`);
  const answer = await consent(person, kept.page);
  expect(answer.get('iss')).toBe(world.url);
  await first.finishAuth(answer);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }));
  return client;
}

test('MCPS-8, MCPS-13: the official client finds its way from a 401 to the tools, and renews its token', async () => {
  await using world = await createWorld();
  const ann = await world.member();
  const official = providerOf();
  const client = await connected(world, ann, official);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('sendMessage');
  // Its bearer is not valid any more: it takes a new one without a person.
  const { kept } = official;
  if (kept.tokens) kept.tokens = { ...kept.tokens, access_token: 'at_ended' };
  delete kept.page;
  const again = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', world.url), { authProvider: official.provider });
  await again.connect(transport);
  expect((await again.listTools()).tools.length).toBeGreaterThan(5);
  expect(kept.page).toBeUndefined();
  await again.close();
  await client.close();
});

test('MCPS-12: a program may be known by the address of a document about it', async () => {
  let document: unknown = {};
  let type = 'application/json';
  let fetched = 0;
  await using program = await webServer((_request, response) => {
    fetched += 1;
    response.setHeader('content-type', type).end(JSON.stringify(document));
  });
  await using world = await createWorld({ env: { TOOL_ENDPOINTS: program.origin } });
  const ann = await world.member();
  const address = `${program.origin}/program.json`;
  const right = { client_id: address, client_name: 'Documented', redirect_uris: [BACK] };
  document = right;
  const request = {
    redirect_uri: BACK,
    response_type: 'code',
    code_challenge: hash('sha256', 'a secret', 'base64url'),
    code_challenge_method: 'S256',
  } as const;
  // The official client takes https only.
  expect(await ann.api.getProgramRequest({ ...request, client_id: address })).toMatchObject({
    name: 'Documented',
    place: new URL(program.origin).host,
  });
  const { url } = await ann.api.grantProgram({ ...request, client_id: address, scopes: ['read'] });
  const body = {
    grant_type: 'authorization_code',
    client_id: address,
    code: new URL(url).searchParams.get('code') ?? '',
    code_verifier: 'a secret',
    redirect_uri: BACK,
  };
  expect((await fetch(`${world.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(body) })).status).toBe(
    200,
  );
  expect(fetched).toBe(1);
  expect((await ann.api.getAccessTokens()).items).toMatchObject([
    { name: 'Documented', client: new URL(program.origin).host },
  ]);
  const ask = (client_id: string) => failure(ann.api.getProgramRequest({ ...request, client_id }));
  const wrong = [
    { ...right, client_id: `${program.origin}/other.json` },
    { ...right, redirect_uris: ['https://elsewhere.example/'] },
    { ...right, client_name: 'Parley' },
    { ...right, redirect_uris: [BACK], more: 'x'.repeat(9_000) },
    [right],
  ];
  for (const [at, one] of wrong.entries()) {
    const own = `${program.origin}/wrong-${at}.json`;
    document = 'client_id' in one && one.client_id === address ? { ...one, client_id: own } : one;
    expect([at, await ask(own)]).toMatchObject([at, { status: 400 }]);
  }
  type = 'text/html';
  document = { ...right, client_id: `${program.origin}/page` };
  expect(await ask(`${program.origin}/page`)).toMatchObject({ status: 400 });
  const before = fetched;
  // Addresses that are none: nothing is fetched.
  for (const id of [
    `${program.origin}/`,
    `${program.origin}/a/../b.json`,
    `${address}#x`,
    'http://127.0.0.1:1/x.json',
    'https://127.0.0.1/x',
  ])
    expect([id, await ask(id)]).toMatchObject([id, { status: 400 }]);
  expect(fetched).toBe(before);
});
