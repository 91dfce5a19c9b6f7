import type { Message } from '@parley/protocol';
import { type Actor, createWorld, ManualClock, type World } from '@parley/testing';
import { type FakeModelServer, startModelServer } from '@parley/testing/providers/fake-model-server.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const provider = 'provider_b' as const;
const KEY = 'sk-a-key-that-must-not-leak-1234';

let server: FakeModelServer;
let world: World;
beforeAll(async () => {
  server = await startModelServer();
  world = await createWorld({ env: { AGENT_ENDPOINTS: server.origin } });
});
afterAll(async () => {
  await world.close();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => (server.answer = undefined));

async function agentOf(owner: Actor, more: object = {}): Promise<string> {
  const made = { slug: 'local', display_name: 'Local', provider, model: 'llama', base_url: server.baseUrl, ...more };
  return (await owner.api.createAgent(made)).username;
}
const pathsSince = (start: number) => server.requests.slice(start).map(({ path, key }) => [path, key]);

test('CUSTOM-12: a reply that its server spoils fails, and the asker learns what the owner can check', async () => {
  const { ann } = await world.people('ann');
  const username = await agentOf(ann);
  await ann.api.setBotConfig({ username, secrets: { api_key: KEY } });
  const { id } = await ann.api.startChat({ username });
  const socket = await ann.socket();
  server.answer = (_request, response) =>
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: `not ${KEY}` }));
  await ann.api.sendMessage({ chat_id: id, text: 'hello' });
  const { text, reason, details } = await socket.event('alert');
  expect([reason, details]).toEqual(['bad_request', 'not [key]']);
  expect(text).toContain('The provider rejected the request (400). ');
  expect(text).toContain('Its owner can check the address, the model and the key');
  const ended: Message = await socket.event('messageComplete');
  expect(ended).toMatchObject({ status: 'failed', finish_reason: 'bad_request' });
  expect(JSON.stringify([world.logs, socket.frames])).not.toContain('must-not-leak');
});

test('CUSTOM-12, PROVIDER-15: a server that hangs is given up after 30 s', async () => {
  const clock = new ManualClock();
  await using own = await createWorld({ clock, env: { AGENT_ENDPOINTS: server.origin } });
  const { bea } = await own.people('bea');
  const username = await agentOf(bea);
  const { id } = await bea.api.startChat({ username });
  const hung = Promise.withResolvers<void>();
  server.answer = (_request, response) => {
    response.on('close', hung.resolve);
    asked.resolve();
  };
  const asked = Promise.withResolvers<void>();
  await bea.api.sendMessage({ chat_id: id, text: 'hello' });
  await asked.promise;
  await clock.advance(30_000);
  await hung.promise;
  await own.turnsEnded();
  const { items } = await bea.api.getChatHistory({ chat_id: id });
  expect(items.at(-1)).toMatchObject({ status: 'failed', finish_reason: 'timeout' });
});

test('CUSTOM-13: getModels lists what the agent’s own server offers, once per key and five minutes', async () => {
  const clock = new ManualClock();
  await using own = await createWorld({ clock, env: { AGENT_ENDPOINTS: server.origin } });
  own.stayOnFirst();
  const { cleo, dan } = await own.people('cleo', 'dan');
  const username = await agentOf(cleo);
  const start = server.requests.length;
  const list = { items: [{ id: 'llama3.2:latest' }, { id: 'qwen3:8b' }] };
  expect(await Promise.all([1, 2].map(() => cleo.api.getModels({ username })))).toEqual([list, list]);
  expect(pathsSince(start)).toEqual([['/v1/models', undefined]]);
  await cleo.api.setBotConfig({ username, secrets: { api_key: KEY } });
  expect(await cleo.api.getModels({ username })).toEqual(list);
  // Others ask with a key of their own, never with the owner's.
  await expect(dan.api.getModels({ username })).rejects.toMatchObject({ code: 'forbidden' });
  const chat = await own.group(cleo, dan);
  await cleo.api.addGroupAgent({ chat_id: chat.id, agent_username: username });
  await expect(dan.api.getModels({ username })).rejects.toMatchObject({ code: 'forbidden' });
  await dan.api.setMyBotConfig({
    username,
    secrets: { api_key: 'sk-of-dan-1234567' },
    server: server.origin,
  });
  expect(await dan.api.getModels({ username })).toEqual(list);
  expect(pathsSince(start).map(([, key]) => key)).toEqual([undefined, KEY, 'sk-of-dan-1234567']);
  await clock.advance(5 * 60_000);
  await dan.api.getModels({ username });
  expect(pathsSince(start)).toHaveLength(4);
});

test('CUSTOM-13: the lists of both vendors are read, page by page, without what is no model', async () => {
  const { eve } = await world.people('eve');
  const username = await agentOf(eve, { provider: 'provider_a' });
  const pages = [
    {
      data: [{ id: 'claude-a', display_name: 'Claude A' }, { id: 7 }, 'x', { id: 'a\nb' }],
      has_more: true,
      last_id: 'claude-a',
    },
    { data: [{ type: 'model', id: 'claude-b', display_name: 'claude-b' }], has_more: false, last_id: 'claude-b' },
  ];
  const asked: string[] = [];
  server.answer = ({ url = '' }, response) => {
    asked.push(url);
    response.end(JSON.stringify(pages[asked.length - 1]));
  };
  expect(await eve.api.getModels({ username })).toEqual({
    items: [{ id: 'claude-a', name: 'Claude A' }, { id: 'claude-b' }],
  });
  expect(asked).toEqual(['/v1/models?limit=1000', '/v1/models?limit=1000&after_id=claude-a']);
});

test('CUSTOM-13: the caller’s key for a provider lists that provider’s models, also for an agent without a server', async () => {
  const { ida } = await world.people('ida');
  await ida.api.setAgentKey({ provider: 'provider_a', api_key: 'sk-a-of-ida-12345' });
  await ida.api.setAgentKey({ provider, api_key: 'sk-b-of-ida-12345' });
  const claude = { items: [{ id: 'claude-sonnet-4-5', name: 'Claude Sonnet 4.5' }] };
  expect(await ida.api.getModels({ provider: 'provider_a' })).toEqual(claude);
  const username = await agentOf(ida, { base_url: null });
  const gpts = { items: [{ id: 'gpt-5.1' }, { id: 'gpt-5.1-mini' }] };
  expect(await ida.api.getModels({ username })).toEqual(gpts);
  await ida.api.removeAgentKey({ provider });
  await expect(ida.api.getModels({ username })).rejects.toMatchObject({ code: 'forbidden' });
});

test('CUSTOM-13: what is no list is an error of the table, without the key', async () => {
  const { fay } = await world.people('fay');
  const username = await agentOf(fay);
  await fay.api.setBotConfig({ username, secrets: { api_key: KEY } });
  const cases: [status: number, body: string, code: string][] = [
    [200, '<html>', 'not_found'],
    [200, '{"data":7}', 'not_found'],
    [200, `{"data":["${'x'.repeat(3_000_000)}"]}`, 'not_found'],
    [404, '404 page not found', 'not_found'],
    [302, '', 'forbidden'],
    [401, KEY, 'forbidden'],
    [429, '{}', 'rate_limited'],
    [500, JSON.stringify({ error: KEY }), 'unavailable'],
  ];
  for (const [status, body, code] of cases) {
    server.answer = (_request, response) => response.writeHead(status).end(body);
    const answer = fay.api.getModels({ username });
    await expect(answer, `${status} ${body.slice(0, 20)}`).rejects.toMatchObject({
      code,
      description: expect.not.stringContaining('must-not-leak'),
    });
  }
  server.answer = undefined;
  expect((await fay.api.getModels({ username })).items).toHaveLength(2);
});

test('CUSTOM-13: getModels takes a provider or an agent that runs on a model; people alone call it', async () => {
  const { gil } = await world.people('gil');
  const bot = await world.bot(gil);
  await expect(gil.api.getModels({ provider: 'provider_a' })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(bot.api.getModels({ provider })).rejects.toMatchObject({ code: 'forbidden' });
  for (const given of [
    {},
    { provider, username: 'gil:provider_b' },
    { username: bot.username },
    { username: 'parley:guide' },
  ])
    await expect(gil.api.getModels(given)).rejects.toMatchObject({ parameters: { field: 'username' } });
});

test('CUSTOM-13: an owner may ask for 20 lists a minute', async () => {
  await using own = await createWorld({ env: { RATE_LIMITS: '1', AGENT_ENDPOINTS: server.origin } });
  own.stayOnFirst();
  const { hal } = await own.people('hal');
  const username = await agentOf(hal);
  for (let times = 0; times < 20; times += 1) await hal.api.getModels({ username });
  await expect(hal.api.getModels({ username })).rejects.toMatchObject({ code: 'rate_limited' });
});
