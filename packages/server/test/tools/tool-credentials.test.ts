import { createWorld, type World } from '@parley/testing';
import { type FakeToolServer, startToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { agentWith, given, toolsOf } from './tool-stage.ts';

const TOKEN = 'token-that-must-not-leak-1234';
const PASSWORD = 'correct horse battery staple';
const OTHER = 'another-that-must-not-leak-5678';

let server: FakeToolServer;
let moved: FakeToolServer;
let world: World;
beforeAll(async () => {
  [server, moved] = [await startToolServer(), await startToolServer({ peek: {} })];
  world = await createWorld({ env: { TOOL_ENDPOINTS: `${server.origin},${moved.origin}` } });
});
afterAll(async () => {
  expect(JSON.stringify(world.logs)).not.toContain('must-not-leak');
  await world.close();
  await server[Symbol.asyncDispose]();
  await moved[Symbol.asyncDispose]();
});
beforeEach(() => Object.assign(server, { answer: undefined, tokens: [TOKEN, OTHER], tools: { peek: {}, pay: {} } }));

const askers = { identity: 'asker', auth: 'bearer' } as const;
const owners = { identity: 'owner', auth: 'bearer' } as const;

test('TOOL-5, TOOL-6: a call bears the credential of its asker, which is never shown again', async () => {
  const { ann, bob } = await world.people('ann', 'bob');
  const username = await agentWith(ann, given(server, askers));
  const { id: chat_id } = await world.group(ann, bob);
  await ann.api.addGroupAgent({ chat_id, agent_username: username });
  expect(await ann.api.setToolCredential({ username, server: 'bank', token: ` ${TOKEN} ` })).toEqual({
    credential_tail: '••••1234',
  });
  const ofAnn = await toolsOf(world, username, 'ann');
  const ofBob = await toolsOf(world, username, 'bob');
  expect((await ofAnn.offered()).tools.map(({ tool, needsLogin }) => [tool, needsLogin])).toEqual([
    ['pay', false],
    ['peek', false],
  ]);
  expect(await ofBob.call({ tool: 'peek' })).toEqual({ status: 'login' });
  await bob.api.setToolCredential({ username, server: 'bank', token: OTHER });
  const before = server.calls.length;
  expect(await ofAnn.call({ tool: 'peek' })).toMatchObject({ status: 'done' });
  expect(await ofBob.call({ tool: 'peek' })).toMatchObject({ status: 'done' });
  expect(server.calls.slice(before).map(({ token }) => token)).toEqual([TOKEN, OTHER]);
  const [mine] = (await ann.api.getToolServers({ username })).items;
  expect(mine).toMatchObject({ has_credential: true, credential_tail: '••••1234', state: 'ok' });
  const [his] = (await bob.api.getToolServers({ username })).items;
  expect(his).toMatchObject({ has_credential: true, credential_tail: '••••5678' });
  expect(JSON.stringify([mine, his, await world.sql('SELECT sealed FROM tool_credentials')])).not.toContain('must-not');
});

test('TOOL-14: tools whose server wants a login are offered as they were pinned, and a call asks for it', async () => {
  const { ann } = await world.people('ann', 'bob');
  const username = await agentWith(ann, given(server, { ...askers, name: 'login' }));
  const ofAnn = await toolsOf(world, username, 'ann');
  // Nobody has seen its tools.
  expect((await ofAnn.offered()).tools).toMatchObject([{ tool: 'sign_in', needsLogin: true, writes: false }]);
  await agentWith(ann, given(server, { ...askers, name: 'login', tools: [{ name: 'pay', writes: true }] }));
  expect((await ofAnn.offered()).tools).toMatchObject([{ tool: 'pay', needsLogin: true, definitionHash: '' }]);
  expect(await ofAnn.call({ tool: 'pay', definitionHash: '' })).toEqual({ status: 'login' });
  expect((await ann.api.getToolServers({ username })).items).toMatchObject([{ state: 'login', offered: [] }]);
  await ann.api.setToolCredential({ username, server: 'login', token: TOKEN });
  const [pinned] = (await ofAnn.offered()).tools;
  const ofBob = await toolsOf(world, username, 'bob');
  const shown = { tool: 'pay', needsLogin: true, definitionHash: pinned?.definitionHash, description: 'The tool pay.' };
  expect((await ofBob.offered()).tools).toMatchObject([shown]);
  expect(await ofBob.call({ tool: 'pay' })).toEqual({ status: 'login' });
  // A credential that the server refuses is as good as none, and nothing is executed.
  const before = server.calls.length;
  server.tokens = [];
  expect(await ofAnn.call({ tool: 'pay' })).toEqual({ status: 'login' });
  expect((await ofAnn.offered()).tools).toMatchObject([{ ...shown, needsLogin: true }]);
  expect(server.calls.length).toBe(before);
});

test('TOOL-5: with the identity of the owner all calls bear the owner’s, and others cannot sign in', async () => {
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  const username = await agentWith(ann, given(server, owners));
  const { id: chat_id } = await world.group(ann, bob);
  await ann.api.addGroupAgent({ chat_id, agent_username: username });
  const ofBob = await toolsOf(world, username, 'bob');
  expect(await ofBob.offered()).toMatchObject({ tools: [], faults: [{ server: 'bank', why: /owner .* sign in/ }] });
  expect(await ofBob.call({ tool: 'peek' })).toMatchObject({
    status: 'failed',
    text: expect.stringContaining('owner'),
  });
  await expect(bob.api.setToolCredential({ username, server: 'bank', token: OTHER })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(cleo.api.setToolCredential({ username, server: 'bank', token: OTHER })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await ann.api.setToolCredential({ username, server: 'bank', token: TOKEN });
  expect(await ofBob.call({ tool: 'peek' })).toMatchObject({ status: 'done' });
  expect(server.calls.at(-1)?.token).toBe(TOKEN);
  const [his] = (await bob.api.getToolServers({ username })).items;
  expect(his).toMatchObject({ has_credential: true });
  expect(his).not.toHaveProperty('credential_tail');
});

test('TOOL-6: a credential is for one origin: another one, another identity or auth deletes it', async () => {
  const { dora } = await world.people('dora');
  const username = await agentWith(dora, given(server, askers));
  const set = () => dora.api.setToolCredential({ username, server: 'bank', token: TOKEN });
  const has = async () => (await dora.api.getToolServers({ username })).items[0]?.has_credential;
  await set();
  await agentWith(dora, given({ url: `${server.origin}/elsewhere` }, { ...askers, approval: 'always' }));
  expect(await has()).toBe(true);
  const changes = [
    given(moved, askers),
    given(server, owners),
    given(server),
    given(server, { ...askers, auth: 'oauth' }),
  ];
  for (const change of changes) {
    await agentWith(dora, given(server, askers));
    await set();
    await agentWith(dora, change);
    await agentWith(dora, given(server, askers));
    expect(await has()).toBe(false);
  }
  expect(moved.requests.every(({ token }) => token === null)).toBe(true);
});

test('TOOL-6: removeToolCredential takes effect at once, and what is no token is refused', async () => {
  const { eve } = await world.people('eve');
  const username = await agentWith(eve, given(server, askers), given(server, { name: 'open' }));
  await eve.api.setToolCredential({ username, server: 'bank', token: TOKEN });
  const { call } = await toolsOf(world, username, 'eve');
  expect(await call({ tool: 'peek' })).toMatchObject({ status: 'done' });
  await eve.api.removeToolCredential({ username, server: 'bank' });
  await eve.api.removeToolCredential({ username, server: 'bank' });
  expect(await call({ tool: 'peek' })).toEqual({ status: 'login' });
  for (const token of ['', ' ', 'two words', 'tökén', 'line\nend'])
    await expect(eve.api.setToolCredential({ username, server: 'bank', token })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  await expect(eve.api.setToolCredential({ username, server: 'open', token: TOKEN })).rejects.toMatchObject({
    code: 'invalid_argument',
  });
  await expect(eve.api.setToolCredential({ username, server: 'none', token: TOKEN })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('TOOL-7: an export tells of servers and credentials without a secret; both go with agent and account', async () => {
  const fay = await world.member('fay');
  const gil = await world.member('gil');
  await fay.api.createAgent({ slug: 'helper', display_name: 'Helper', provider: 'provider_a', visibility: 'public' });
  const username = 'fay:helper';
  await fay.api.setAgentTools({ username, servers: [given(server, askers)] });
  await gil.api.setToolCredential({ username, server: 'bank', token: OTHER });
  await fay.api.setToolCredential({ username, server: 'bank', token: TOKEN });
  const { url } = await fay.api.exportMyData();
  const text = await (await fetch(new URL(url, world.url))).text();
  const data = JSON.parse(text) as { tool_credentials: unknown; agents: { tool_servers: unknown[] }[] }; // as declared
  expect(data.tool_credentials).toEqual([{ agent: username, server: 'bank', origin: server.origin, tail: '••••1234' }]);
  expect(data.agents.flatMap((agent) => agent.tool_servers)).toMatchObject([{ name: 'bank', url: server.url }]);
  expect(text).not.toContain('must-not-leak');
  const ofAgent = `WHERE agent_key = (SELECT key FROM accounts WHERE username = '${username}')`;
  const count = async (table: string) => (await world.sql(`SELECT 1 AS found FROM ${table} ${ofAgent}`)).length;
  expect(await count('tool_credentials')).toBe(2);
  await gil.api.deleteAccount({ password: PASSWORD });
  expect(await count('tool_credentials')).toBe(1);
  await fay.api.deleteAgent({ username });
  expect([await count('tool_credentials'), await count('tool_definitions'), await count('tool_servers')]).toEqual([
    0, 0, 0,
  ]);
});
