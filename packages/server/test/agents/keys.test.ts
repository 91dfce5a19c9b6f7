import { randomBytes } from 'node:crypto';
import { createApi } from '@parley/client';
import { KeyRing } from '@parley/server/secrets/seal.ts';
import { Actor, checkReplay, createWorld, type World } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentChat, keyedAgent } from '../helpers/agents.ts';
import { storedBytes } from '../helpers/stored-bytes.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('KEY-1, KEY-7: getMyAgents returns whether a key is set, and setAgentKey only its tail', async () => {
  const { ann } = await world.people('ann');
  const bot = await world.bot(ann, 'helper');
  const configured = async () =>
    (await ann.api.getMyAgents()).items.map(({ provider, username, key_configured }) => [
      provider,
      username,
      key_configured,
    ]);
  const agents = (has: boolean) => [
    ['provider_a', 'ann:provider_a', has],
    ['provider_b', 'ann:provider_b', false],
    ['bot', bot.username, false],
  ];
  expect(await configured()).toEqual(agents(false));
  const result = await ann.api.setAgentKey({ provider: 'provider_a', api_key: 'sk-of-ann-12345' });
  expect(result).toEqual({ provider: 'provider_a', key_tail: '••••2345' });
  expect(await configured()).toEqual(agents(true));
  for (let times = 0; times < 2; times += 1) {
    expect(await ann.api.removeAgentKey({ provider: 'provider_a' })).toBeUndefined();
    expect(await configured()).toEqual(agents(false));
  }
});

test('KEY-2: keys can be set only for the caller’s own two provider agents', async () => {
  const { bea } = await world.people('bea');
  const bot = await world.bot(bea);
  const key = { api_key: 'sk-12345678' };
  for (const provider of ['provider_c', 'bot', 'bea:provider_a', ''] as const) {
    const params = { provider: provider as 'provider_a' }; // a value that the types forbid
    await expect(bea.api.setAgentKey({ ...params, ...key })).rejects.toMatchObject({ status: 400 });
    await expect(bea.api.removeAgentKey(params)).rejects.toMatchObject({ status: 400 });
  }
  await expect(bot.api.setAgentKey({ provider: 'provider_a', ...key })).rejects.toMatchObject({ status: 403 });
  await expect(bot.api.removeAgentKey({ provider: 'provider_a' })).rejects.toMatchObject({ status: 403 });
});

test('KEY-3, KEY-6: a short key is masked completely, an empty one refused, surrounding white space dropped', async () => {
  const { cleo } = await world.people('cleo');
  const tailOf = async (api_key: string) => (await cleo.api.setAgentKey({ provider: 'provider_b', api_key })).key_tail;
  expect(await tailOf('1234567')).toBe('••••');
  expect(await tailOf('12345678')).toBe('••••5678');
  expect(await tailOf('  \n sk-12345678\t')).toBe('••••5678');
  expect(await tailOf('sk-\u{1f511}\u{1f511}\u{1f511}\u{1f511}\u{1f511}')).toBe(
    '••••\u{1f511}\u{1f511}\u{1f511}\u{1f511}',
  );
  for (const api_key of ['', '   ', 'sk-1234\n5678', 'sk-\u{7f}12345678'])
    await expect(tailOf(api_key)).rejects.toMatchObject({ status: 400, parameters: { field: 'api_key' } });
  world.providers.script('sk-12345678', { chunks: ['hello'] });
});

test('KEY-5: an agent runs with its owner’s current key, no matter who fired it', async () => {
  const { dora, eve } = await world.people('dora', 'eve');
  const chat = await world.group(dora, eve);
  const [first, own] = [await keyedAgent(world, dora), await keyedAgent(world, eve)];
  for (const key of [first.key, own.key, 'the-second-key']) world.providers.script(key, { chunks: ['hello'] });
  await dora.api.addGroupAgent({ chat_id: chat.id, agent_username: first.username });
  const ask = async () => {
    await eve.api.sendMessage({ chat_id: chat.id, text: `@${first.username} hello` });
    await world.turnsEnded();
  };
  const requests = () => [first.key, 'the-second-key', own.key].map((key) => world.providers.requestsOf(key).length);
  await ask();
  expect(requests()).toEqual([1, 0, 0]);
  await dora.api.setAgentKey({ provider: 'provider_a', api_key: ' the-second-key ' });
  await ask();
  expect(requests()).toEqual([1, 1, 0]);
});

test('KEY-5: the asker’s own key for the agent takes precedence over the owner’s', async () => {
  const { kim, lea } = await world.people('kim', 'lea');
  const chat = await world.group(kim, lea);
  const agent = await keyedAgent(world, kim);
  for (const key of [agent.key, 'the-key-of-lea']) world.providers.script(key, { chunks: ['hello'] });
  await kim.api.addGroupAgent({ chat_id: chat.id, agent_username: agent.username });
  await lea.api.setMyBotConfig({ username: agent.username, secrets: { api_key: 'the-key-of-lea' } });
  for (const who of [lea, kim]) {
    await who.api.sendMessage({ chat_id: chat.id, text: `@${agent.username} hello` });
    await world.turnsEnded();
    const counts = [agent.key, 'the-key-of-lea'].map((key) => world.providers.requestsOf(key).length);
    expect([who.username, ...counts]).toEqual([who.username, who === lea ? 0 : 1, 1]);
  }
});

test('KEY-8: an agent without a key replies what to do, and the asker gets an alert', async () => {
  const { fay, gil } = await world.people('fay', 'gil');
  const chat = await world.group(fay, gil);
  const agent_username = 'fay:provider_b';
  await fay.api.addGroupAgent({ chat_id: chat.id, agent_username });
  const [owners, askers] = [await fay.socket(), await gil.socket()];
  await checkReplay(world, [fay, gil], async () => {
    await gil.api.sendMessage({ chat_id: chat.id, text: `@${agent_username} hello` });
    await world.turnsEnded();
  });
  const { items } = await gil.api.getChatHistory({ chat_id: chat.id });
  expect(items.at(-1)).toMatchObject({
    status: 'failed',
    finish_reason: 'no_key',
    sender: { username: agent_username },
    content: expect.stringMatching(/key/i),
  });
  expect(await askers.event('alert')).toMatchObject({ level: 'error', text: expect.stringMatching(/key/i) });
  expect(owners.all('alert')).toEqual([]);
});

test('KEY-4: the first secrets key seals and every key opens, so keys are rotated by adding one in front', async () => {
  const [one, two] = ['one', 'two'].map((id) => `${id}:${randomBytes(32).toString('base64')}`) as [string, string]; // of two ids
  const env = { SECRETS_KEY: one };
  await using world = await createWorld({ env });
  const ann = await world.person('ann');
  const { agent, chat } = await agentChat(world, ann);
  world.providers.script(agent.key, { chunks: ['hello'] });
  const ask = async (): Promise<string> => {
    await ann.api.sendMessage({ chat_id: chat.id, text: 'hello' });
    await world.turnsEnded();
    const { items } = await ann.api.getChatHistory({ chat_id: chat.id });
    return items.at(-1)?.status ?? '';
  };
  expect(await ask()).toBe('complete');
  env.SECRETS_KEY = `${two},${one}`;
  await world.restart();
  expect(await ask()).toBe('complete');
  await keyedAgent(world, ann);
  env.SECRETS_KEY = two;
  await world.restart();
  expect(await ask()).toBe('complete');
});

test('KEY-4: sealed text opens only unchanged and for the purpose it was sealed for', () => {
  const key = (id: string) => ({ id, bytes: randomBytes(32) });
  const [old, next] = [key('old'), key('next')];
  const sealed = new KeyRing([old]).seal('a secret', 'agent:1:account:2:field:api_key');
  expect(sealed).not.toBe(new KeyRing([old]).seal('a secret', 'agent:1:account:2:field:api_key'));
  const open = (text: string, binding = 'agent:1:account:2:field:api_key', keys = [next, old]) =>
    new KeyRing(keys).open(text, binding);
  expect(open(sealed)).toBe('a secret');
  expect(() => open(sealed, 'agent:1:account:3:field:api_key')).toThrow();
  expect(() => open(sealed, 'agent:1:account:2:field:api_key', [next])).toThrow('unknown key');
  expect(() => open(sealed, 'agent:1:account:2:field:api_key', [key('old')])).toThrow();
  const [version, id, text = ''] = sealed.split(':');
  const bytes = Buffer.from(text, 'base64url');
  for (const at of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)));
    expect(() => open(`${version}:${id}:${changed.toString('base64url')}`)).toThrow();
  }
});

test('KEY-9, AUTH-10: keys, passwords and tokens appear in no log line, frame, error, metric or reply, and are stored only sealed or hashed', async () => {
  await using world = await createWorld();
  const secrets = { key: 'sk-a-key-of-this-test', password: 'a password of this test' };
  const { api } = new Actor(world, 'ann', '');
  const { token } = await api.signUp({ username: 'ann', password: secrets.password });
  const ann = new Actor(world, 'ann', token);
  const bob = await world.person('bob');
  const seen: string[] = [];
  world.watcher = { begin: () => 0, read: (_receiver, text) => void seen.push(text) };
  const bot = await world.bot(ann);
  const tokenShownOnce = seen.splice(0).join();
  expect(tokenShownOnce).toContain(bot.token);
  const socket = await ann.socket();
  await bot.socket();
  const chat = await world.group(ann, bob);
  await checkReplay(world, [ann, bob], async () => {
    await ann.api.setAgentKey({ provider: 'provider_a', api_key: secrets.key });
    await ann.api.addGroupAgent({ chat_id: chat.id, agent_username: 'ann:provider_a' });
    world.providers.script(secrets.key, { status: 401, message: `bad key ${secrets.key}` }, { chunks: ['hello'] });
    for (const _ of [1, 2]) {
      await bob.api.sendMessage({ chat_id: chat.id, text: '@ann:provider_a hello' });
      await world.turnsEnded();
    }
  });
  const refusals = [
    () => ann.api.setAgentKey({ provider: 'provider_a', api_key: `${secrets.key}\n${secrets.key}` }),
    () => ann.api.setAgentKey({ provider: 'none' as 'provider_a', api_key: secrets.key }), // a value that the types forbid
    () => ann.api.signIn({ username: 'bob', password: secrets.password }),
    () => ann.api.signUp({ username: 'ann', password: secrets.password }),
    () => socket.rpc('signIn', { username: 'Ann', password: secrets.password, device: secrets.password }),
    () => createApi({ url: world.url, token: `${token}x` }).getMe(),
  ];
  for (const refusal of refusals) await expect(refusal()).rejects.toThrow();
  const metrics = await (await fetch(`${world.url}/metrics`)).text();
  const places = {
    logs: JSON.stringify(world.logs),
    replies: seen.join(),
    metrics,
    store: (await storedBytes(world)).toString('latin1'),
  };
  for (const [place, text] of Object.entries(places))
    for (const secret of [secrets.key, secrets.password, token, bot.token])
      expect([place, secret, text.includes(secret)]).toEqual([place, secret, false]);
  expect(seen.length).toBeGreaterThan(50);
});
