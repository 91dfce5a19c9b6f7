import { type Actor, createWorld, type World } from '@parley/testing';
import { HeldReads } from '@parley/testing/stores/slow-reads.ts';
import { type FakeModelServer, startModelServer } from '@parley/testing/providers/fake-model-server.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const provider = 'provider_b' as const;
const made = { slug: 'local', display_name: 'Local', provider, model: 'llama' };

let first: FakeModelServer;
let second: FakeModelServer;
let world: World;
beforeAll(async () => {
  [first, second] = await Promise.all([startModelServer('from the first'), startModelServer('from the second')]);
  world = await createWorld({ env: { AGENT_ENDPOINTS: `public, ${first.origin}, ${second.origin}` } });
});
afterAll(async () => {
  await world.close();
  await first[Symbol.asyncDispose]();
  await second[Symbol.asyncDispose]();
});
let seen: [number, number] = [0, 0];
beforeEach(() => (seen = [first.requests.length, second.requests.length]));

/** The keys of the requests that both servers have received in this test. */
const keysSent = () => [first, second].map(({ requests }, at) => requests.slice(seen[at]).map(({ key }) => key));

/** Sends a message to the agent and returns its reply. */
async function ask(asker: Actor, chat_id: string, username: string) {
  await asker.api.sendMessage({ chat_id, text: `@${username} hello` });
  await world.turnsEnded();
  return (await asker.api.getChatHistory({ chat_id })).items.at(-1);
}
async function inGroup(owner: Actor, others: Actor[], username: string): Promise<string> {
  const { id } = await world.group(owner, ...others);
  await owner.api.addGroupAgent({ chat_id: id, agent_username: username });
  return id;
}
const isConfigured = async (owner: Actor, username: string) =>
  (await owner.api.getMyAgents()).items.find((agent) => agent.username === username)?.key_configured;

test('CUSTOM-7: without a base_url an agent uses the present key of its owner’s default agent, or one of its own', async () => {
  const { ann, bob } = await world.people('ann', 'bob');
  const { username } = await ann.api.createAgent({ ...made, slug: 'plain' });
  const chat = await inGroup(ann, [bob], username);
  for (const key of ['key-of-ann-1', 'key-of-ann-2', 'key-of-plain', 'key-of-bob'])
    world.providers.script(key, { chunks: [key] });
  const answer = async (asker: Actor) => (await ask(asker, chat, username))?.content;
  expect(await ask(ann, chat, username)).toMatchObject({ status: 'failed', finish_reason: 'no_key' });
  expect(await isConfigured(ann, username)).toBe(false);
  await ann.api.setAgentKey({ provider, api_key: 'key-of-ann-1' });
  expect(await isConfigured(ann, username)).toBe(true);
  const previewed = await bob.api.previewDispatch({ chat_id: chat, text: `@${username} hello` });
  expect(previewed.agents).toEqual([expect.objectContaining({ username, payer: 'ann' })]);
  expect([await answer(ann), await answer(bob)]).toEqual(['key-of-ann-1', 'key-of-ann-1']);
  await ann.api.setAgentKey({ provider, api_key: 'key-of-ann-2' });
  expect(await answer(bob)).toBe('key-of-ann-2');
  // A key of the agent's own comes first, and the default agent keeps its own.
  await ann.api.setBotConfig({ username, secrets: { api_key: 'key-of-plain' } });
  expect(await answer(bob)).toBe('key-of-plain');
  await bob.api.setMyBotConfig({ username, secrets: { api_key: 'key-of-bob' } });
  expect([await answer(bob), await answer(ann)]).toEqual(['key-of-bob', 'key-of-plain']);
  await ann.api.setBotConfig({ username, secrets: { api_key: '' } });
  await ann.api.removeAgentKey({ provider });
  expect(await ask(ann, chat, username)).toMatchObject({ finish_reason: 'no_key' });
});

test('CUSTOM-9, CUSTOM-10: a server of the agent’s own gets only keys that were set for it, or none', async () => {
  const { cleo, dan } = await world.people('cleo', 'dan');
  await cleo.api.setAgentKey({ provider, api_key: 'vendor-key-of-cleo' });
  const { username } = await cleo.api.createAgent({ ...made, base_url: first.baseUrl });
  const chat = await inGroup(cleo, [dan], username);
  expect(await isConfigured(cleo, username)).toBe(false);
  const previewed = await dan.api.previewDispatch({ chat_id: chat, text: `@${username} hello` });
  expect(previewed.agents).toMatchObject([{ username, payer: 'cleo' }]);
  expect(await ask(cleo, chat, username)).toMatchObject({ content: 'from the first', status: 'complete' });
  expect((await ask(dan, chat, username))?.content).toBe('from the first');
  await cleo.api.setBotConfig({ username, secrets: { api_key: 'server-key-of-cleo' } });
  await ask(dan, chat, username);
  const { server } = await dan.api.getMyBotConfig({ username });
  await dan.api.setMyBotConfig({ username, secrets: { api_key: 'server-key-of-dan' }, ...(server && { server }) });
  await ask(dan, chat, username);
  expect(keysSent()).toEqual([[undefined, undefined, 'server-key-of-cleo', 'server-key-of-dan'], []]);
  expect(world.providers.requestsOf('vendor-key-of-cleo')).toEqual([]);
});

test('CUSTOM-9: keys of the provider’s server, the owner’s and askers’, are gone when the agent moves, there and back', async () => {
  const { eve, fay } = await world.people('eve', 'fay');
  const { username } = await eve.api.createAgent(made);
  const chat = await inGroup(eve, [fay], username);
  const vendor = { eve: 'vendor-key-of-eve', fay: 'vendor-key-of-fay' };
  for (const key of Object.values(vendor)) world.providers.script(key, { chunks: ['vendor'] });
  await eve.api.setBotConfig({ username, secrets: { api_key: vendor.eve } });
  await fay.api.setMyBotConfig({ username, secrets: { api_key: vendor.fay } });
  await eve.api.updateAgent({ username, base_url: first.baseUrl });
  expect((await fay.api.getMyBotConfig({ username })).my_secrets).toEqual([]);
  expect((await eve.api.getMyBotConfig({ username })).owner_secret_fields).toEqual([]);
  for (const asker of [eve, fay]) await ask(asker, chat, username);
  expect(keysSent()).toEqual([[undefined, undefined], []]);

  // Another path of the same server keeps the keys, another server does not, nor does the provider's.
  await eve.api.setBotConfig({ username, secrets: { api_key: 'server-key-of-eve' } });
  await eve.api.updateAgent({ username, base_url: `${first.origin}/v1/` });
  await ask(eve, chat, username);
  await eve.api.updateAgent({ username, base_url: second.baseUrl });
  await ask(eve, chat, username);
  expect(keysSent()).toEqual([[undefined, undefined, 'server-key-of-eve'], [undefined]]);
  await eve.api.setBotConfig({ username, secrets: { api_key: 'second-key-of-eve' } });
  await eve.api.updateAgent({ username, base_url: null });
  expect(await ask(eve, chat, username)).toMatchObject({ finish_reason: 'no_key' });
  for (const key of ['server-key-of-eve', 'second-key-of-eve', ...Object.values(vendor)])
    expect(world.providers.requestsOf(key), key).toEqual([]);
});

test('CUSTOM-9: a stored key does not open for another server, whatever the database says', async () => {
  await using own = await createWorld({
    env: { AGENT_ENDPOINTS: `${first.origin},${second.origin}` },
    expectsErrors: true,
  });
  const { gil } = await own.people('gil');
  const { username } = await gil.api.createAgent({ ...made, base_url: first.baseUrl });
  await gil.api.setBotConfig({ username, secrets: { api_key: 'server-key-of-gil' } });
  const { id } = await gil.api.startChat({ username });
  const ends = async () => {
    await gil.api.sendMessage({ chat_id: id, text: 'hello' });
    await own.turnsEnded();
  };
  await own.sql('UPDATE agent_config SET base_url = $1', second.baseUrl);
  await ends();
  await own.sql('UPDATE agent_secrets SET origin = $1', second.origin);
  await ends();
  expect(keysSent()).toEqual([[], [undefined, undefined]]);
});

test('CUSTOM-9: a key that arrives while the agent moves is refused: it was meant for the former server', async () => {
  const held = new HeldReads();
  await using own = await createWorld({
    wrapRead: held.wrap,
    env: { AGENT_ENDPOINTS: `${first.origin},${second.origin}` },
  });
  const { hal } = await own.people('hal');
  const { username } = await hal.api.createAgent({ ...made, base_url: first.baseUrl });
  const { asked, release } = held.hold('FROM agent_config');
  const set = hal.api.setBotConfig({ username, secrets: { api_key: 'meant-for-the-first' } });
  await asked;
  await hal.api.updateAgent({ username, base_url: second.baseUrl });
  release();
  await expect(set).rejects.toMatchObject({ code: 'conflict' });
  expect((await hal.api.getMyBotConfig({ username })).owner_secret_fields).toEqual([]);
});

test('CUSTOM-9: a key is stored only for the server that the asker has seen', async () => {
  const { una, xav } = await world.people('una', 'xav');
  const { username } = await una.api.createAgent(made);
  await inGroup(una, [xav], username);
  const secrets = { api_key: 'meant-for-what-xav-saw' };
  const look = async () => (await xav.api.getMyBotConfig({ username })).server;
  const set = async (server?: string) =>
    xav.api.setMyBotConfig({ username, config: { model: 'mine' }, secrets, ...(server !== undefined && { server }) });
  const isRefused = async (server?: string) => {
    await expect(set(server)).rejects.toMatchObject({ code: 'conflict' });
    expect(await xav.api.getMyBotConfig({ username })).toMatchObject({ my_secrets: [], my_config: {} });
  };
  // As they are shown: these servers are not encrypted.
  const [firstHost, secondHost] = [first.origin, second.origin];
  // From the provider's server to one of its own, to another, and back: each time after Xav has looked.
  expect(await look()).toBeUndefined();
  await isRefused(firstHost);
  await una.api.updateAgent({ username, base_url: first.baseUrl });
  await isRefused();
  expect(await look()).toBe(firstHost);
  await una.api.updateAgent({ username, base_url: second.baseUrl });
  await isRefused(firstHost);
  expect((await set(secondHost)).my_secrets).toHaveLength(1);
  // What is no key needs no server, and the owner knows it.
  await xav.api.setMyBotConfig({ username, config: {}, secrets: { api_key: '' } });
  await una.api.setMyBotConfig({ username, secrets });
  await una.api.updateAgent({ username, base_url: null });
  await isRefused(secondHost);
  expect((await set()).my_secrets).toHaveLength(1);
});

test('CUSTOM-10, KEY-10: for others a server without a key is the owner’s, and used as its owner allows', async () => {
  const { ida, jan } = await world.people('ida', 'jan');
  const { username } = await ida.api.createAgent({ ...made, base_url: first.baseUrl, pays_for: 'nobody' });
  const chat = await inGroup(ida, [jan], username);
  expect(await ask(jan, chat, username)).toMatchObject({ status: 'failed', finish_reason: 'no_key' });
  await ida.api.updateAgent({ username, pays_for: 'groups', asker_daily_tokens: 0 });
  expect(await ask(jan, chat, username)).toMatchObject({ finish_reason: 'asker_token_cap' });
  await ida.api.updateAgent({ username, asker_daily_tokens: null });
  expect(await ask(jan, chat, username)).toMatchObject({ content: 'from the first' });
  await ida.api.blockUser({ username: 'jan' });
  expect((await ask(jan, chat, username))?.finish_reason).toBe('no_key');
  expect(keysSent()).toEqual([[undefined], []]);
  const { items } = await ida.api.getUsage();
  expect(items).toMatchObject([{ agent: username, username: 'jan', replies: 1 }]);
});

test('CUSTOM-10: an agent of provider_a asks a server of its own in that provider’s protocol', async () => {
  const { kim } = await world.people('kim');
  const given = { ...made, provider: 'provider_a' as const, base_url: `${second.baseUrl}/` };
  const { username } = await kim.api.createAgent(given);
  const { id } = await kim.api.startChat({ username });
  expect(await ask(kim, id, username)).toMatchObject({ content: 'from the second' });
  const [request] = second.requests.slice(seen[1]);
  expect(request).toMatchObject({ path: '/v1/messages', key: undefined, body: { model: 'llama' } });
});

test('CUSTOM-2: without a model an agent on a server of its own says so, and the operator’s model is not asked for', async () => {
  const { lea } = await world.people('lea');
  const { username } = await lea.api.createAgent({ ...made, base_url: first.baseUrl });
  expect((await lea.api.getMyBotConfig({ username })).config_schema[0]).toMatchObject({ key: 'model', required: true });
  expect((await lea.api.getMyBotConfig({ username })).config_schema[0]?.default).toBeUndefined();
  await lea.api.setBotConfig({ username, config: {} });
  const { id } = await lea.api.startChat({ username });
  expect(await ask(lea, id, username)).toMatchObject({ status: 'failed', finish_reason: 'bad_request' });
  expect(keysSent()).toEqual([[], []]);
  await expect(lea.api.updateAgent({ username, base_url: second.baseUrl })).rejects.toMatchObject({
    parameters: { field: 'model' },
  });
});
