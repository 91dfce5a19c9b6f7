import { limits } from '@parley/protocol';
import { type Actor, checkReplay, createWorld, type World } from '@parley/testing';
import { startModelServer } from '@parley/testing/providers/fake-model-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { photo, upload } from '../helpers/file-stage.ts';

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const provider = 'provider_b' as const;
const bare = { slug: 'writer', display_name: 'Writer', provider };

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const keyed = async (owner: Actor, chunks: string[] = ['done']): Promise<string> => {
  const key = `key-of-${owner.username}`;
  await owner.api.setAgentKey({ provider, api_key: key });
  world.providers.script(key, { chunks });
  return key;
};
const ask = async (asker: Actor, chat_id: string, text: string) => {
  await asker.api.sendMessage({ chat_id, text });
  await world.turnsEnded();
  const { items } = await asker.api.getChatHistory({ chat_id });
  return items.at(-1);
};

test('CUSTOM-1, CUSTOM-2: an agent that a person makes answers with its own model, prompt and limits', async () => {
  const { ann } = await world.people('ann');
  const key = await keyed(ann, ['In ', 'verse.']);
  const made = await ann.api.createAgent({
    ...bare,
    model: 'gpt-poet',
    system_prompt: 'Answer in verse.',
    temperature: 0.5,
    max_output_tokens: 300,
    thinking: 'low',
    description: 'writes poems',
    context: { messages: 1 },
    visibility: 'public',
    pays_for: 'everyone',
    allowed_models: ['gpt-poet-mini'],
    asker_daily_tokens: 5_000,
  });
  const settings = {
    model: 'gpt-poet',
    system_prompt: 'Answer in verse.',
    temperature: 0.5,
    max_output_tokens: 300,
    thinking: 'low',
    context: { messages: 1, characters: limits.contextCharacters, files: true },
    visibility: 'public',
    pays_for: 'everyone',
    allowed_models: ['gpt-poet-mini'],
    asker_daily_tokens: 5_000,
  };
  expect(made).toEqual({
    username: 'ann:writer',
    kind: 'agent',
    display_name: 'Writer',
    parent_username: 'ann',
    agent_provider: 'provider_b',
    bio: 'writes poems',
    created_at: expect.stringMatching(isoTime),
    is_default: false,
    payer: 'ann',
    key_configured: true,
    titles: true,
    monthly_token_cap: null,
    group_monthly_tokens: null,
    ...settings,
  });
  const { id } = await ann.api.startChat({ username: 'ann:writer' });
  await ask(ann, id, 'first');
  expect(await ask(ann, id, 'second')).toMatchObject({ content: 'In verse.', status: 'complete' });
  expect(world.providers.requestsOf(key).at(-1)?.body).toMatchObject({
    model: 'gpt-poet',
    reasoning_effort: 'low',
    max_tokens: 300,
    messages: [
      { role: 'system', content: 'Answer in verse.' },
      { role: 'user', content: 'second' },
    ],
  });
  // The same values as those of setBotConfig.
  const { owner_config, ...config } = await ann.api.getMyBotConfig({ username: 'ann:writer' });
  expect(owner_config).toEqual({
    model: 'gpt-poet',
    system_prompt: 'Answer in verse.',
    temperature: '0.5',
    max_output_tokens: '300',
    thinking: 'low',
  });
  expect(config).toMatchObject({ is_public: true, pays_for: 'everyone', asker_daily_tokens: 5_000 });
  await ann.api.setBotConfig({ username: 'ann:writer', config: { model: 'gpt-prose' }, is_public: false });
  const { system_prompt: _prompt, temperature: _heat, max_output_tokens: _most, thinking: _effort, ...left } = settings;
  const now = await ann.api.getAgent({ username: 'ann:writer' });
  expect(now).toMatchObject({ ...left, model: 'gpt-prose', visibility: 'groups' });
  expect(now).not.toHaveProperty('system_prompt');
});

test('CUSTOM-1: a slug is taken once, and only by people; values that do not fit are refused', async () => {
  const { bea } = await world.people('bea');
  await bea.api.createAgent({ slug: 'plain', display_name: 'Plain', provider });
  const bot = await world.bot(bea);
  for (const slug of ['plain', 'bot', 'provider_a', 'provider_b'])
    await expect(bea.api.createAgent({ ...bare, slug })).rejects.toMatchObject({ code: 'conflict' });
  await expect(bea.api.createBot({ slug: 'plain', display_name: 'B' })).rejects.toMatchObject({ code: 'conflict' });
  await expect(bot.api.createAgent(bare)).rejects.toMatchObject({ code: 'forbidden' });
  const bad: [field: string, given: object][] = [
    ['slug', { slug: 'No' }],
    ['provider', { provider: 'parley' }],
    ['display_name', { display_name: 'Parley' }],
    ['temperature', { provider: 'provider_a', temperature: 1.5 }],
    ['max_output_tokens', { max_output_tokens: 0 }],
    ['thinking', { thinking: 'on' as never }],
    // Another server than OpenAI's.
    ['web_search', { web_search: true }],
    ['context.messages', { context: { messages: limits.contextMessages + 1 } }],
    ['context.characters', { context: { characters: 10 } }],
    ['visibility', { visibility: 'secret' }],
    ['model', { base_url: 'https://models.example/v1' }],
  ];
  for (const [field, given] of bad)
    await expect(bea.api.createAgent({ ...bare, ...given }), field).rejects.toMatchObject({
      code: 'invalid_argument',
      parameters: { field },
    });
  await expect(bea.api.createAgent({ ...bare, system_prompt: 'x'.repeat(40_000) })).rejects.toMatchObject({
    code: 'too_large',
  });
  expect((await bea.api.getMyAgents()).items).toHaveLength(4);
});

test('CUSTOM-1: a person may have 100 agents beside their bots; a deleted one makes room, its name stays taken', async () => {
  const { cleo } = await world.people('cleo');
  await world.bot(cleo);
  for (let at = 0; at < limits.agentsPerOwner; at += 1) await cleo.api.createAgent({ ...bare, slug: `a${at}` });
  await expect(cleo.api.createAgent(bare)).rejects.toMatchObject({ parameters: { field: 'slug' } });
  await cleo.api.deleteAgent({ username: 'cleo:a7' });
  await expect(cleo.api.createAgent({ ...bare, slug: 'a7' })).rejects.toMatchObject({ code: 'conflict' });
  const made = await Promise.allSettled(['x', 'y'].map((slug) => cleo.api.createAgent({ ...bare, slug })));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('CUSTOM-3: updateAgent changes what it names, null removes a value, and everyone sees the new profile', async () => {
  const { dora, eve } = await world.people('dora', 'eve');
  const { username } = await dora.api.createAgent({ ...bare, model: 'm', temperature: 1, description: 'first' });
  const chat = await world.group(dora, eve);
  await dora.api.addGroupAgent({ chat_id: chat.id, agent_username: username });
  const picture = await upload(dora, await photo('png', { width: 100, height: 80 }), 'face.png');
  const watching = await eve.socket('ext');
  const changed = await checkReplay(world, [dora, eve], () =>
    dora.api.updateAgent({
      username,
      display_name: 'Author',
      description: null,
      avatar_file_id: picture.id,
      temperature: null,
      system_prompt: 'Be brief.',
      context: { files: false, characters: 2_000 },
    }),
  );
  expect(changed).toMatchObject({ display_name: 'Author', model: 'm', system_prompt: 'Be brief.' });
  expect(changed.context).toEqual({ messages: limits.contextMessages, characters: 2_000, files: false });
  expect(changed).not.toHaveProperty('temperature');
  expect(changed).not.toHaveProperty('bio');
  expect(changed.avatar_url).toMatch(/^\/avatars\//);
  expect(await watching.event('accountUpdated')).toMatchObject({ username, display_name: 'Author' });
  // Nothing but the context is named: the rest stays, and no event is sent.
  const again = await dora.api.updateAgent({ username, context: null });
  const context = { messages: limits.contextMessages, characters: limits.contextCharacters, files: true };
  expect(again).toEqual({ ...changed, context });
  expect(await dora.api.getAgent({ username })).toEqual(again);
});

test('CUSTOM-3: a default agent can be renamed and set up, but has no other server; others’ agents cannot', async () => {
  const { fay, gil } = await world.people('fay', 'gil');
  const username = 'fay:provider_a';
  const renamed = await fay.api.updateAgent({ username, display_name: 'Ruth', model: 'claude-x' });
  expect(renamed).toMatchObject({ display_name: 'Ruth', model: 'claude-x', is_default: true });
  const moved = fay.api.updateAgent({ username, base_url: 'https://models.example/v1' });
  await expect(moved).rejects.toMatchObject({ parameters: { field: 'base_url' } });
  await expect(fay.api.updateAgent({ username: 'gil', model: 'm' })).rejects.toMatchObject({ status: 400 });
  await expect(gil.api.updateAgent({ username, model: 'm' })).rejects.toMatchObject({ code: 'not_found' });
});

test('CUSTOM-3: of a bot the owner changes the profile and who may start a chat, and nothing of a model', async () => {
  const { rex, sue, tim } = await world.people('rex', 'sue', 'tim');
  const { username } = await world.bot(rex);
  const chat = await world.group(rex, sue);
  await rex.api.addGroupAgent({ chat_id: chat.id, agent_username: username });
  const picture = await upload(rex, await photo('png', { width: 64, height: 64 }), 'face.png');
  const watching = await sue.socket('ext');
  const changed = await checkReplay(world, [rex, sue], () =>
    rex.api.updateAgent({
      username,
      display_name: 'Helper',
      description: 'Knows the timetable',
      avatar_file_id: picture.id,
      visibility: 'public',
    }),
  );
  expect(changed).toMatchObject({ display_name: 'Helper', bio: 'Knows the timetable', visibility: 'public' });
  expect(await watching.event('accountUpdated')).toMatchObject({ username, display_name: 'Helper' });
  const mine = (await rex.api.getMyAgents()).items.find((one) => one.username === username);
  expect(mine).toMatchObject({ display_name: 'Helper', avatar_url: changed.avatar_url, visibility: 'public' });
  await tim.api.startChat({ username });
  const given = {
    model: 'm',
    base_url: null,
    system_prompt: '',
    temperature: 1,
    max_output_tokens: null,
    context: null,
    pays_for: 'nobody',
    allowed_models: [],
    asker_daily_tokens: null,
  } as const;
  for (const [field, value] of Object.entries(given))
    await expect(rex.api.updateAgent({ username, display_name: 'Other', [field]: value }), field).rejects.toMatchObject(
      { code: 'invalid_argument', parameters: { field } },
    );
  await expect(sue.api.updateAgent({ username, display_name: 'Mine' })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(rex.api.updateAgent({ username, display_name: 'Parley' })).rejects.toMatchObject({
    parameters: { field: 'display_name' },
  });
  const same = await rex.api.updateAgent({ username, visibility: 'private' });
  expect(same).toMatchObject({ display_name: 'Helper', visibility: 'private' });
  const hidden = await world.bot(sue, 'hidden');
  await expect(rex.api.updateAgent({ username: hidden.username, display_name: 'X' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('CUSTOM-5, CUSTOM-9: an agent’s server is named by its host, with its port, and with http:// if it is not encrypted', async () => {
  await using own = await createWorld({
    env: { AGENT_ENDPOINTS: 'public,http://models.example,http://models.example:8080' },
  });
  const { vic } = await own.people('vic');
  const { username } = await vic.api.createAgent({ ...bare, model: 'm', base_url: 'https://models.example/v1' });
  const names = async () => [
    (await vic.api.getAgent({ username })).server,
    (await vic.api.getMyBotConfig({ username })).server,
  ];
  expect(await names()).toEqual(['models.example', 'models.example']);
  for (const [base_url, name] of [
    ['http://models.example/v1', 'http://models.example'],
    ['http://models.example:8080/v1', 'http://models.example:8080'],
    ['https://models.example:8443/v1', 'models.example:8443'],
    ['https://models.example:443', 'models.example'],
  ] as const) {
    await vic.api.updateAgent({ username, base_url });
    expect(await names()).toEqual([name, name]);
  }
});

test('PEOPLE-4: a new name of a person renames their default agents, but none that they have named', async () => {
  const { hal } = await world.people('hal');
  await hal.api.updateAgent({ username: 'hal:provider_a', display_name: 'Ruth' });
  await hal.api.createAgent({ ...bare, display_name: 'GPT of hal' });
  await hal.api.updateProfile({ display_name: 'Hal Jordan' });
  const names = (await hal.api.getMyAgents()).items.map(({ display_name }) => display_name);
  expect(names).toEqual(['Ruth', 'GPT of Hal Jordan', 'GPT of hal']);
});

test('CUSTOM-4: a deleted agent leaves its groups, its replies end as cancelled, and its messages stay', async () => {
  const { ida, jan } = await world.people('ida', 'jan');
  const key = await keyed(ida);
  const { username } = await ida.api.createAgent({ ...bare, pays_for: 'everyone', visibility: 'public' });
  const chat = await world.group(ida, jan);
  await ida.api.addGroupAgent({ chat_id: chat.id, agent_username: username });
  const direct = await jan.api.startChat({ username });
  const steered = world.providers.steer(key);
  await jan.api.sendMessage({ chat_id: chat.id, text: `@${username} write` });
  const request = await world.providers.waitForRequest(key);
  const watching = await jan.socket();
  steered.text('half');
  await watching.event('messageDelta');
  await checkReplay(world, [ida, jan], async () => {
    await ida.api.deleteAgent({ username });
    await world.turnsEnded();
  });
  await request.closed;
  expect(request.closedEarly).toBe(true);
  const ended = (await jan.api.getChatHistory({ chat_id: chat.id })).items.at(-1);
  expect(ended).toMatchObject({ status: 'cancelled', content: 'half', sender: { username } });
  expect((await jan.api.getGroupAgents({ chat_id: chat.id })).items).toEqual([]);
  await expect(jan.api.sendMessage({ chat_id: direct.id, text: 'there?' })).rejects.toMatchObject({ status: 403 });
  for (const call of [jan.api.getAgent({ username }), ida.api.updateAgent({ username, model: 'm' })])
    await expect(call).rejects.toMatchObject({ code: 'not_found' });
  const left = 'SELECT 1 FROM agent_config c JOIN accounts a ON a.key = c.agent_key WHERE a.username = $1';
  expect(await world.sql(left, username)).toEqual([]);
});

test('CUSTOM-4: deleteAgent also deletes a bot, never a default agent, and deleteBot no agent of the service', async () => {
  const { kim, lea } = await world.people('kim', 'lea');
  const bot = await world.bot(kim);
  const { username } = await kim.api.createAgent(bare);
  await expect(lea.api.deleteAgent({ username })).rejects.toMatchObject({ code: 'not_found' });
  await expect(kim.api.deleteBot({ username })).rejects.toMatchObject({ status: 400 });
  for (const name of ['kim:provider_a', 'kim'])
    await expect(kim.api.deleteAgent({ username: name })).rejects.toMatchObject({ parameters: { field: 'username' } });
  await kim.api.deleteAgent({ username: bot.username });
  await expect(bot.api.getMe()).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('CUSTOM-4, PEOPLE-8: a deleted person’s agents go with them, with their servers and every key for them', async () => {
  const { zoe } = await world.people('zoe');
  const vic = await world.member('vic');
  const base_url = 'https://models.example/v1';
  const { username } = await vic.api.createAgent({ ...bare, model: 'm', base_url, visibility: 'public' });
  const { id } = await zoe.api.startChat({ username });
  await vic.api.setBotConfig({ username, secrets: { api_key: 'sk-of-vic-123456' } });
  await zoe.api.setMyBotConfig({ username, secrets: { api_key: 'sk-of-zoe-123456' }, server: 'models.example' });
  await vic.api.deleteAccount({ password: 'correct horse battery staple' });
  await expect(zoe.api.getAgent({ username })).rejects.toMatchObject({ code: 'not_found' });
  await expect(zoe.api.sendMessage({ chat_id: id, text: 'there?' })).rejects.toMatchObject({ status: 403 });
  for (const table of ['agent_config', 'agent_secrets', 'override_secrets']) {
    const left = `SELECT 1 FROM ${table} t JOIN accounts a ON a.key = t.agent_key WHERE a.username = $1`;
    expect(await world.sql(left, username), table).toEqual([]);
  }
});

test('CUSTOM-5: others see whose agent it is, who pays and what its owner published, and nothing else', async () => {
  const { mia, ned, ola } = await world.people('mia', 'ned', 'ola');
  const { username } = await mia.api.createAgent({
    ...bare,
    model: 'm',
    system_prompt: 'a secret recipe',
    base_url: 'https://models.example/a/v1/',
  });
  await mia.api.setBotConfig({ username, show_on_profile: ['model'] });
  for (const [who, code] of [
    [ned, 'forbidden'],
    [ola, 'forbidden'],
  ] as const)
    await expect(who.api.getAgent({ username })).rejects.toMatchObject({ code });
  await expect(ned.api.getAgent({ username: 'mia:none' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(ned.api.getAgent({ username: 'mia' })).rejects.toMatchObject({ status: 400 });
  const chat = await world.group(mia, ned);
  await mia.api.addGroupAgent({ chat_id: chat.id, agent_username: username });
  const shown = {
    username,
    kind: 'agent',
    display_name: 'Writer',
    parent_username: 'mia',
    agent_provider: provider,
    created_at: expect.stringMatching(isoTime),
    is_default: false,
    visibility: 'groups',
    payer: 'mia',
    server: 'models.example',
    model: 'm',
  };
  expect(await ned.api.getAgent({ username })).toEqual(shown);
  expect(await mia.api.getAgent({ username })).toMatchObject({
    ...shown,
    base_url: 'https://models.example/a/v1',
    key_configured: false,
  });
  await mia.api.updateAgent({ username, pays_for: 'nobody', visibility: 'public' });
  expect(await ned.api.getAgent({ username })).toEqual({
    ...shown,
    payer: null,
    needs_key: true,
    visibility: 'public',
  });
  await ned.api.setMyBotConfig({ username, secrets: { api_key: 'sk-of-ned-12345' }, server: 'models.example' });
  expect(await ned.api.getAgent({ username })).toMatchObject({ payer: 'ned' });
  expect(await ola.api.getAgent({ username })).toMatchObject({ payer: null, needs_key: true });
  const guide = await ola.api.getAgent({ username: 'parley:guide' });
  expect(guide).toMatchObject({ visibility: 'public', is_default: false, payer: null });
  expect(guide).not.toHaveProperty('needs_key');
  const bot = await world.bot(mia, 'helper');
  expect(await mia.api.getAgent({ username: bot.username })).toMatchObject({ agent_provider: 'bot', payer: 'mia' });
});

test('CUSTOM-6: only its owner starts a chat with a private agent; is_public leaves it private', async () => {
  const { pat, quin, rob } = await world.people('pat', 'quin', 'rob');
  const { username } = await pat.api.createAgent({ ...bare, visibility: 'private' });
  const chat = await world.group(pat, quin);
  await pat.api.addGroupAgent({ chat_id: chat.id, agent_username: username });
  const refused = { code: 'forbidden' };
  await expect(quin.api.startChat({ username })).rejects.toMatchObject(refused);
  expect(await pat.api.startChat({ username })).toMatchObject({ kind: 'direct' });
  await pat.api.setBotConfig({ username, is_public: false });
  expect(await pat.api.getAgent({ username })).toMatchObject({ visibility: 'private' });
  await pat.api.updateAgent({ username, visibility: 'groups' });
  await expect(rob.api.startChat({ username })).rejects.toMatchObject(refused);
  const begun = await quin.api.startChat({ username });
  await pat.api.setBotConfig({ username, is_public: true });
  expect(await rob.api.startChat({ username })).toMatchObject({ kind: 'direct' });
  // Chats that exist stay.
  await pat.api.updateAgent({ username, visibility: 'private' });
  expect((await quin.api.startChat({ username })).id).toBe(begun.id);
});

test('CUSTOM-11: the context is bounded by what the owner set', async () => {
  const { sam } = await world.people('sam');
  const key = await keyed(sam);
  const { username } = await sam.api.createAgent({ ...bare, context: { messages: 3, characters: 500 } });
  const { id } = await sam.api.startChat({ username });
  const contents = async (text: string) => {
    await ask(sam, id, text);
    const messages = world.providers.requestsOf(key).at(-1)?.body['messages'];
    return (messages as { content: string }[]).map(({ content }) => content); // as the fake has checked
  };
  await contents('one');
  await contents('two');
  expect(await contents('three')).toEqual(['two', 'done', 'three']);
  expect((await contents('x'.repeat(600))).map((text) => text.length)).toEqual([500]);
  await sam.api.updateAgent({ username, context: null });
  expect(await contents('five')).toHaveLength(9);
});

test('CUSTOM-8: an address that is not allowed is refused when it is given, without repeating it', async () => {
  const { tom } = await world.people('tom');
  const refused = ['http://models.example/v1', 'https://10.0.0.1/v1', 'https://localhost/v1', 'ftp://models.example'];
  refused.push('https://me:secret@models.example/v1', 'https://models.example/v1?key=secret', 'not a URL secret');
  for (const base_url of refused) {
    const answer = tom.api.createAgent({ ...bare, model: 'm', base_url });
    await expect(answer, base_url).rejects.toMatchObject({
      code: 'invalid_argument',
      parameters: { field: 'base_url' },
      description: expect.not.stringContaining('secret'),
    });
  }
  const { username } = await tom.api.createAgent({ ...bare, model: 'm', base_url: 'https://models.example/v1' });
  await expect(tom.api.updateAgent({ username, base_url: 'https://127.0.0.1' })).rejects.toMatchObject({
    parameters: { field: 'base_url' },
  });
});

test('CUSTOM-8: an address that the operator no longer allows fails the reply, which says why', async () => {
  await using server = await startModelServer();
  await using own = await createWorld({ env: { AGENT_ENDPOINTS: server.origin } });
  const { uma } = await own.people('uma');
  const { username } = await uma.api.createAgent({ ...bare, model: 'm', base_url: server.baseUrl });
  await own.sql('UPDATE agent_config SET base_url = $1', 'https://10.0.0.1/v1');
  const { id } = await uma.api.startChat({ username });
  const socket = await uma.socket();
  await uma.api.sendMessage({ chat_id: id, text: 'hello' });
  expect((await socket.event('alert')).text).toContain('The address of this agent is not allowed');
  expect(await socket.event('messageComplete')).toMatchObject({ status: 'failed', finish_reason: 'bad_request' });
  expect(server.requests).toEqual([]);
});
