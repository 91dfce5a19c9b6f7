import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiError } from '@parley/client';
import type { FieldSpec, MyBotConfig, Params } from '@parley/protocol';
import { Actor, createWorld, ManualClock, type World } from '@parley/testing';
import { describe, expect, test } from 'vitest';
import { resealAll } from '../secrets/reseal.ts';
import { KeyRing } from '../secrets/seal.ts';
import { SqliteConnection } from '../store/engines/sqlite.ts';
import { startStoreThread } from '../store/engines/sqlite-thread.ts';

const schema = {
  template: 'trader',
  config_schema: [
    { key: 'symbol', label: 'Symbol', type: 'string' },
    { key: 'limit', label: 'Limit', type: 'number', default: '10' },
    { key: 'dry_run', label: 'Dry run', type: 'boolean' },
    { key: 'side', label: 'Side', type: 'select', options: ['buy', 'sell'] },
    { key: 'notes', label: 'Notes', type: 'text', required: true },
  ],
  secret_schema: [
    { key: 'token', label: 'Token', type: 'string' },
    { key: 'pin', label: 'PIN', type: 'number' },
  ],
} satisfies Partial<Params<'createBot'>>;

async function makeBot(world: World, owner: Actor, slug = 'trader'): Promise<Actor> {
  const { bot, token } = await owner.api.createBot({ slug, display_name: slug, ...schema });
  return new Actor(world, bot.username, token);
}

/** Ann with a bot, and Bob, who shares a group with it; Carol knows neither. */
async function cast(world: World) {
  const { ann, bob, carol } = await world.people('ann', 'bob', 'carol');
  const bot = await makeBot(world, ann);
  const group = await world.group(ann, bob);
  await ann.api.addGroupAgent({ chat_id: group.id, agent_username: bot.username, always_on: true });
  return { ann, bob, carol, bot, group, username: bot.username };
}

/** Status and field of what a call is refused with. */
const refusal = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    ({ status, parameters: { field } }: ApiError) => (field === undefined ? String(status) : `${status} ${field}`),
  );

const keysOf = (specs: readonly FieldSpec[]): string[] => specs.map(({ key }) => key);
const newKey = (): string => `sk-${randomBytes(12).toString('hex')}`;

describe('what there is to see', () => {
  test("BOTCONF-2: a bot has the schema that it was made with, a provider's agent its own, the guide nothing", async () => {
    await using world = await createWorld({ env: { PROVIDER_A_MODEL: 'a-model', PROVIDER_B_MODEL: 'b-model' } });
    const { ann, bob, username } = await cast(world);
    const view = await bob.api.getMyBotConfig({ username });
    expect(view).toMatchObject({ ...schema, bot: { username, kind: 'agent', parent_username: 'ann' } });
    for (const [slug, model] of [
      ['provider_a', 'a-model'],
      ['provider_b', 'b-model'],
    ] as const) {
      const own = await ann.api.getMyBotConfig({ username: `ann:${slug}` });
      expect(keysOf(own.config_schema)).toEqual(['model', 'system_prompt', 'temperature', 'max_output_tokens']);
      expect(own.config_schema[0]?.default).toBe(model);
      expect(JSON.stringify(own)).not.toContain('bounds');
      expect(keysOf(own.secret_schema)).toEqual(['api_key']);
      expect(own.template).toBeNull();
    }
    const guide = { username: 'parley:guide' };
    await bob.api.startChat(guide);
    expect(await bob.api.getMyBotConfig(guide)).toMatchObject({
      config_schema: [],
      secret_schema: [],
      owner_config: {},
    });
    expect(await refusal(bob.api.setMyBotConfig({ ...guide, config: { model: 'x' } }))).toBe('400 config.model');
    expect(await refusal(bob.api.setBotConfig({ ...guide, is_public: false }))).toBe('403');
  });

  test('BOTCONF-1: settings are there for the owner and for who shares a conversation, for nobody else', async () => {
    await using world = await createWorld();
    const { ann, bob, carol, bot, group, username } = await cast(world);
    for (const one of [ann, bob, bot]) expect((await one.api.getMyBotConfig({ username })).bot.username).toBe(username);
    const missing = await carol.api.getMyBotConfig({ username: `${username}_no` }).catch((error: unknown) => error);
    const foreign = () => carol.api.getMyBotConfig({ username }).catch((error: unknown) => error);
    expect(await foreign()).toEqual(missing);
    expect(missing).toMatchObject({ status: 404, description: 'not found: agent' });
    // To be public is to be there for chats: its settings are for those who have one with it.
    await ann.api.setBotConfig({ username, is_public: true });
    expect(await foreign()).toEqual(missing);
    await carol.api.startChat({ username });
    expect((await carol.api.getMyBotConfig({ username })).bot.username).toBe(username);
    await bob.api.leaveChat({ chat_id: group.id });
    expect(await refusal(bob.api.getMyBotConfig({ username }))).toBe('404');
    expect(await refusal(bob.api.setMyBotConfig({ username, config: { symbol: 'X' } }))).toBe('404');
    expect(await refusal(bob.api.getMyBotConfig({ username: 'bob' }))).toBe('400 username');
    expect(await refusal(ann.api.setBotConfig({ username: 'bob' }))).toBe('400 username');
    await ann.api.deleteBot({ username });
    for (const one of [ann, bob, carol]) expect(await refusal(one.api.getMyBotConfig({ username }))).toBe('404');
  });

  test('BOTCONF-7: others see what the owner published, and of the rest only that it is there', async () => {
    await using world = await createWorld();
    const { ann, bob, bot, username } = await cast(world);
    const config = { symbol: 'ACME', notes: 'inside notes' };
    const secrets = { token: 'owner-token-WXYZ' };
    const set = await ann.api.setBotConfig({
      username,
      config,
      secrets,
      show_on_profile: ['limit', 'symbol', 'symbol'],
    });
    expect(set).toMatchObject({ owner_config: config, show_on_profile: ['symbol', 'limit'], is_public: false });
    expect(await ann.api.getMyBotConfig({ username })).toEqual(set);
    for (const one of [bob, bot]) {
      const view = await one.api.getMyBotConfig({ username });
      expect(view).toMatchObject({ owner_config: { symbol: 'ACME' }, owner_set_keys: ['symbol', 'notes'] });
      expect(view.owner_secret_fields).toEqual(['token']);
      expect(view).not.toHaveProperty('show_on_profile');
      expect(view).not.toHaveProperty('is_public');
      expect(JSON.stringify(view)).not.toMatch(/inside|WXYZ/);
    }
    await ann.api.setBotConfig({ username, show_on_profile: [] });
    expect((await bob.api.getMyBotConfig({ username })).owner_config).toEqual({});
    expect((await ann.api.getMyBotConfig({ username })).owner_config).toEqual(config);
  });
});

describe('what one sets', () => {
  test('BOTCONF-4: the entries that are not blank become the whole override', async () => {
    await using world = await createWorld();
    const { ann, bob, username } = await cast(world);
    const set = async (config?: Record<string, string>) =>
      (await bob.api.setMyBotConfig({ username, ...(config && { config }) })).my_config;
    expect(await set({ symbol: 'MINE', notes: 'n' })).toEqual({ symbol: 'MINE', notes: 'n' });
    expect(await set()).toEqual({ symbol: 'MINE', notes: 'n' });
    expect(await set({ symbol: ' ', notes: ' as typed ' })).toEqual({ notes: ' as typed ' });
    expect((await bob.api.getMyBotConfig({ username })).my_config).toEqual({ notes: ' as typed ' });
    expect((await ann.api.getMyBotConfig({ username })).my_config).toEqual({});
    expect(await set({})).toEqual({});
  });

  test('BOTCONF-5: secrets are merged in, a blank one is cleared, a tail is all that shows', async () => {
    await using world = await createWorld();
    const { bob, username } = await cast(world);
    const set = async (secrets: Record<string, string>) =>
      (await bob.api.setMyBotConfig({ username, secrets })).my_secrets;
    expect(await set({ pin: '1234567', token: 'topsecret-1234' })).toEqual([
      { field: 'token', tail: '••••1234' },
      { field: 'pin', tail: '••••' },
    ]);
    await bob.api.setMyBotConfig({ username, config: { symbol: 'X' } });
    expect(await set({ pin: '12345678' })).toEqual([
      { field: 'token', tail: '••••1234' },
      { field: 'pin', tail: '••••5678' },
    ]);
    expect(await set({ token: '' })).toEqual([{ field: 'pin', tail: '••••5678' }]);
    expect(await set({ pin: ' ' })).toEqual([]);
    expect((await bob.api.getMyBotConfig({ username })).my_config).toEqual({ symbol: 'X' });
  });

  test("BOTCONF-6: an override is one's own: it changes nobody's default, and an owner may have one too", async () => {
    await using world = await createWorld();
    const { ann, bob, bot, username } = await cast(world);
    await ann.api.setBotConfig({ username, config: { symbol: 'SHARED' }, secrets: { token: 'shared-token' } });
    const change = { username, config: { symbol: 'OWN' }, secrets: { token: 'own-token-1' } };
    for (const one of [ann, bob]) {
      const view = await one.api.setMyBotConfig(change);
      expect(view).toMatchObject({ my_config: { symbol: 'OWN' }, my_secrets: [{ tail: '••••en-1' }] });
      expect(view.owner_secret_fields).toEqual(['token']);
    }
    expect((await ann.api.getMyBotConfig({ username })).owner_config).toEqual({ symbol: 'SHARED' });
    const cleared = await ann.api.setMyBotConfig({ username, config: {}, secrets: { token: '' } });
    expect(cleared).toMatchObject({ owner_config: { symbol: 'SHARED' }, my_config: {}, my_secrets: [] });
    expect(cleared.owner_secret_fields).toEqual(['token']);
    // Only people are at the root of a turn.
    expect(await refusal(bot.api.setMyBotConfig(change))).toBe('403');
    expect(await refusal(bot.api.setMyBotConfig({ username: 'ann:nothing' }))).toBe('404');
  });

  test("BOTCONF-8: setBotConfig is the owner's; config and list are replaced, secrets merged, the rest stays", async () => {
    await using world = await createWorld();
    const { ann, bob, carol, bot, username } = await cast(world);
    const change = { username, config: { symbol: 'X' }, secrets: { token: 'x-token-1234' }, is_public: true };
    for (const [one, answer] of [
      [bob, '403'],
      [bot, '403'],
      [carol, '404'],
    ] as const)
      expect(await refusal(one.api.setBotConfig(change))).toBe(answer);
    expect(await refusal(ann.api.setBotConfig({ ...change, username: 'ann:nothing' }))).toBe('404');
    const fresh: Partial<MyBotConfig> = { owner_config: {}, owner_secret_fields: [], is_public: false };
    expect(await ann.api.getMyBotConfig({ username })).toMatchObject(fresh);

    await ann.api.setBotConfig({ username, config: { symbol: 'A', side: 'buy' }, show_on_profile: ['side'] });
    await ann.api.setBotConfig({ username, secrets: { token: 'a-token-1234', pin: '12345678' }, is_public: true });
    const kept = { owner_config: { symbol: 'A', side: 'buy' }, show_on_profile: ['side'], is_public: true };
    expect(await ann.api.setBotConfig({ username })).toMatchObject({ ...kept, owner_secret_fields: ['token', 'pin'] });
    const after = await ann.api.setBotConfig({ username, config: { symbol: 'B', side: ' ' }, secrets: { token: '' } });
    expect(after).toMatchObject({ ...kept, owner_config: { symbol: 'B' }, owner_secret_fields: ['pin'] });
    expect((await ann.api.setBotConfig({ username, config: {} })).owner_config).toEqual({});
  });

  test('BOTCONF-3: what does not fit the schema is 400, names the field, and stores nothing', async () => {
    await using world = await createWorld();
    const { ann, bob, username } = await cast(world);
    const prototype: Record<string, string> = JSON.parse('{"__proto__":"x"}');
    const secretish = 'sk-ant-a-key-in-the-wrong-place';
    const cases: [change: { config?: unknown; secrets?: unknown }, refused: string][] = [
      [{ config: { symbol: 'X', limit: 'many' } }, '400 config.limit'],
      [{ config: { dry_run: 'perhaps' } }, '400 config.dry_run'],
      [{ config: { side: 'hold' } }, '400 config.side'],
      [{ config: { symbol: 'x'.repeat(4_097) } }, '400 config.symbol'],
      [{ config: { notes: 'x'.repeat(32 * 1024 + 1) } }, '413 config.notes'],
      [{ config: { symbol: 'X', nonsense: 'x' } }, '400 config.nonsense'],
      [{ config: { nonsense: '' } }, '400 config.nonsense'],
      [{ config: { token: 'x' } }, '400 config.token'],
      [{ config: { constructor: 'x' } }, '400 config.constructor'],
      [{ config: { toString: 'x' } }, '400 config'],
      [{ config: prototype }, '400 config'],
      [{ config: { [secretish]: '' } }, '400 config'],
      [{ config: { symbol: 7 } }, '400 config.symbol'],
      [{ config: { symbol: null } }, '400 config.symbol'],
      [{ config: { symbol: '\ud800' } }, '400 config.symbol'],
      [{ config: 'symbol' }, '400 config'],
      [{ config: ['symbol'] }, '400 config'],
      [
        { config: Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`k${n}`, 'x'.repeat(30_000)])) },
        '413 config',
      ],
      [{ secrets: { nonsense: 'xxxxxxxxxxxx' } }, '400 secrets.nonsense'],
      [{ secrets: { symbol: 'xxxxxxxxxxxx' } }, '400 secrets.symbol'],
      [{ secrets: { [secretish]: 7 } }, '400 secrets'],
      [{ secrets: { pin: 'no number' } }, '400 secrets.pin'],
      [{ secrets: { token: 'a\0b' } }, '400 secrets.token'],
      [{ secrets: { token: {} } }, '400 secrets.token'],
      [{ config: { symbol: 'X' }, secrets: { token: 'good', pin: 'bad' } }, '400 secrets.pin'],
    ];
    const told: string[] = [];
    world.watcher = { begin: () => 0, read: (_receiver, text) => void told.push(text) };
    for (const [change, refused] of cases) {
      // On purpose not what the declaration asks for.
      const params = { username, ...change } as Params<'setBotConfig'>;
      expect(await refusal(bob.api.setMyBotConfig(params)), JSON.stringify(change).slice(0, 80)).toBe(refused);
      expect(await refusal(ann.api.setBotConfig(params)), JSON.stringify(change).slice(0, 80)).toBe(refused);
    }
    expect(told.join('\n')).not.toMatch(/sk-ant|many|perhaps|no number|xxxxxxxxxxxx/);
    for (const show_on_profile of [['nonsense'], ['token'], ['symbol', 'constructor']])
      expect(await refusal(ann.api.setBotConfig({ username, show_on_profile }))).toBe('400 show_on_profile');
    const view = await ann.api.getMyBotConfig({ username });
    expect(view).toMatchObject({ owner_config: {}, owner_secret_fields: [], show_on_profile: [] });
    expect(await bob.api.getMyBotConfig({ username })).toMatchObject({ my_config: {}, my_secrets: [] });
    const temperature = { username: 'ann:provider_a', config: { temperature: '1.5' } };
    expect(await refusal(ann.api.setBotConfig(temperature))).toBe('400 config.temperature');
    const lines = { username: 'ann:provider_a', secrets: { api_key: 'one\ntwo' } };
    expect(await refusal(ann.api.setBotConfig(lines))).toBe('400 secrets.api_key');
    // A value of many fields that each fit is kept as it is.
    const full = {
      symbol: '🦜'.repeat(1_024),
      limit: '-1.5e3',
      dry_run: 'false',
      side: 'sell',
      notes: 'a\n'.repeat(9_000),
    };
    expect((await bob.api.setMyBotConfig({ username, config: full })).my_config).toEqual(full);
  });

  test('BOTCONF-9: setAgentKey and the api_key of setBotConfig are one value', async () => {
    await using world = await createWorld();
    const { ann } = await world.people('ann');
    const username = 'ann:provider_a';
    const isConfigured = async () =>
      (await ann.api.getMyAgents()).items.find((item) => item.username === username)?.key_configured;
    const key = newKey();
    world.providers.script(key, { chunks: ['with the key of setBotConfig'] });
    await ann.api.setBotConfig({ username, secrets: { api_key: ` ${key}\n` } });
    expect(await isConfigured()).toBe(true);
    const chat = await ann.api.startChat({ username });
    await ann.api.sendMessage({ chat_id: chat.id, text: 'hello' });
    await world.turnsEnded();
    const { items } = await ann.api.getChatHistory({ chat_id: chat.id });
    expect(items.at(-1)?.content).toBe('with the key of setBotConfig');
    await ann.api.removeAgentKey({ provider: 'provider_a' });
    expect((await ann.api.getMyBotConfig({ username })).owner_secret_fields).toEqual([]);
    await ann.api.setAgentKey({ provider: 'provider_a', api_key: newKey() });
    expect((await ann.api.getMyBotConfig({ username })).owner_secret_fields).toEqual(['api_key']);
    await ann.api.setBotConfig({ username, secrets: { api_key: '' } });
    expect(await isConfigured()).toBe(false);
  });

  test('BOTCONF-18: anyone may begin a chat with a public agent, and nobody else before or after', async () => {
    await using world = await createWorld();
    const { ann, carol, username } = await cast(world);
    const { dave } = await world.people('dave');
    expect(await refusal(carol.api.startChat({ username }))).toBe('403');
    await ann.api.setBotConfig({ username, is_public: true });
    const chat = await carol.api.startChat({ username });
    expect((await carol.api.sendMessage({ chat_id: chat.id, text: 'hi' })).dispatch).toEqual([username]);
    expect(await refusal(dave.api.setBotConfig({ username, is_public: true }))).toBe('403');
    await ann.api.setBotConfig({ username, is_public: false });
    expect(await refusal(dave.api.startChat({ username }))).toBe('403');
    expect(await refusal(dave.api.setBotConfig({ username, is_public: true }))).toBe('404');
    expect((await carol.api.startChat({ username })).id).toBe(chat.id);
  });

  test('BOTCONF-17: a bot that is deleted leaves no settings of anyone', async () => {
    await using world = await createWorld();
    const { ann, bob, username } = await cast(world);
    const change = { username, config: { symbol: 'A' }, secrets: { token: 'a-token' } };
    await ann.api.setBotConfig(change);
    await bob.api.setMyBotConfig(change);
    const count = (table: string) =>
      world.service.read.get<{ n: number }, []>({ sql: `SELECT count(*) AS n FROM ${table}` })?.n;
    const tables = ['agent_config', 'agent_overrides', 'agent_secrets', 'override_secrets'];
    expect(tables.map(count)).toEqual([1, 1, 1, 1]);
    await ann.api.deleteBot({ username });
    expect(tables.map(count)).toEqual([0, 0, 0, 0]);
  });
});

describe('what an agent runs with', () => {
  test.each(['provider_a', 'provider_b'] as const)(
    'BOTCONF-12: %s is asked with the resolved settings',
    async (provider) => {
      await using world = await createWorld({ env: { PROVIDER_A_MODEL: 'usual', PROVIDER_B_MODEL: 'usual' } });
      const { ann } = await world.people('ann');
      const username = `ann:${provider}`;
      const key = newKey();
      world.providers.script(key, { chunks: ['ok'] });
      const chat = await ann.api.startChat({ username });
      await ann.api.setBotConfig({ username, secrets: { api_key: key } });
      await ann.api.sendMessage({ chat_id: chat.id, text: 'one' });
      const plain = await world.providers.waitForRequest(key, 1);
      expect(plain.body).toMatchObject({ model: 'usual' });
      expect(plain.body).not.toHaveProperty('temperature');
      expect(systemOf(plain.body)).toBeUndefined();
      await world.turnsEnded();
      const config = {
        model: 'mine',
        system_prompt: 'Speak like a pirate.',
        temperature: '0.25',
        max_output_tokens: '321',
      };
      await ann.api.setBotConfig({ username, config });
      await ann.api.sendMessage({ chat_id: chat.id, text: 'two' });
      const { body } = await world.providers.waitForRequest(key, 2);
      expect(body).toMatchObject({ model: 'mine', temperature: 0.25 });
      expect(body['max_tokens'] ?? body['max_completion_tokens']).toBe(321);
      expect(systemOf(body)).toBe('Speak like a pirate.');
      await world.turnsEnded();
    },
  );

  test('BOTCONF-10: each human has their own values, field by field before those of the owner, live', async () => {
    await using world = await createWorld();
    const { ann, bob } = await world.people('ann', 'bob');
    const username = 'ann:provider_b';
    const [shared, own] = [newKey(), newKey()];
    for (const key of [shared, own]) world.providers.script(key, { chunks: ['ok'] });
    const group = await world.group(ann, bob);
    await ann.api.addGroupAgent({ chat_id: group.id, agent_username: username, always_on: true });
    const asked = async (actor: Actor, key: string): Promise<unknown[]> => {
      const before = world.providers.requestsOf(key).length;
      await actor.api.sendMessage({ chat_id: group.id, text: 'go' });
      const { body } = await world.providers.waitForRequest(key, before + 1);
      await world.turnsEnded();
      return [body['model'], systemOf(body)];
    };
    const set = (config: Record<string, string>) =>
      ann.api.setBotConfig({ username, config, secrets: { api_key: shared } });
    await set({ model: 'shared', system_prompt: 'first' });
    await bob.api.setMyBotConfig({ username, config: { model: 'own' } });
    expect(await asked(bob, shared)).toEqual(['own', 'first']);
    expect(await asked(ann, shared)).toEqual(['shared', 'first']);
    await set({ model: 'shared', system_prompt: 'second' });
    await bob.api.setMyBotConfig({ username, secrets: { api_key: own } });
    expect(await asked(bob, own)).toEqual(['own', 'second']);
    expect(await asked(ann, shared)).toEqual(['shared', 'second']);
    await ann.api.setMyBotConfig({ username, config: { system_prompt: 'for me alone' } });
    expect(await asked(ann, shared)).toEqual(['shared', 'for me alone']);
    await bob.api.setMyBotConfig({ username, config: {}, secrets: { api_key: '' } });
    expect(await asked(bob, shared)).toEqual(['shared', 'second']);
    // The own key is enough where the owner has none.
    await ann.api.setBotConfig({ username, secrets: { api_key: '' } });
    await bob.api.setMyBotConfig({ username, secrets: { api_key: own } });
    expect(await asked(bob, own)).toEqual(['shared', 'second']);
  });

  test('BOTCONF-10: the settings are those of the moment when a waiting turn is taken up', async () => {
    await using world = await createWorld({ settings: { turnsAtOnce: 1 } });
    const { ann } = await world.people('ann');
    const username = 'ann:provider_a';
    const key = newKey();
    await ann.api.setAgentKey({ provider: 'provider_a', api_key: key });
    await ann.api.setBotConfig({ username, config: { model: 'before' } });
    const chat = await ann.api.startChat({ username });
    const first = world.providers.steer(key);
    await ann.api.sendMessage({ chat_id: chat.id, text: 'one' });
    expect((await first.started).body['model']).toBe('before');
    await ann.api.sendMessage({ chat_id: chat.id, text: 'two' });
    await ann.api.setBotConfig({ username, config: { model: 'after' } });
    world.providers.script(key, { chunks: ['ok'] });
    first.text('ok');
    first.end();
    expect((await world.providers.waitForRequest(key, 2)).body['model']).toBe('after');
    await world.turnsEnded();
  });

  test('BOTCONF-11: a stored value that is broken counts as none, and is logged without a word of it', async () => {
    await using world = await createWorld({ expectsErrors: true });
    const { ann, bot, group, username } = await cast(world);
    await ann.api.setBotConfig({ username, config: { limit: '7' }, secrets: { token: 'shared-token' } });
    await ann.api.setMyBotConfig({ username, config: { limit: '8' }, secrets: { token: 'own-token' } });
    const writer = new SqliteConnection(join(world.dataDir, 'parley.db'));
    writer.run({ sql: `UPDATE agent_overrides SET config = '{"limit":"many","gone":"x"}'` });
    writer.run({ sql: 'UPDATE override_secrets SET sealed = (SELECT sealed FROM agent_secrets)' });
    writer.close();
    const message = await ann.api.sendMessage({ chat_id: group.id, text: 'go' });
    const run = await bot.api.getRunConfig({ message_id: message.id });
    expect(run).toEqual({ user: 'ann', config: { limit: '7' }, secrets: { token: 'shared-token' } });
    const errors = world.logs.filter(({ level }) => level >= 50);
    expect(errors).toMatchObject([{ msg: 'a secret could not be opened', agent: username }]);
    expect(JSON.stringify(errors)).not.toMatch(/shared-token|own-token/);
  });
});

describe('getRunConfig', () => {
  test('BOTCONF-13: a bot gets the resolved values of the human who fired it, over either transport', async () => {
    await using world = await createWorld();
    const { ann, bob, bot, group, username } = await cast(world);
    const secrets = { token: 'shared-token', pin: '2222' };
    await ann.api.setBotConfig({ username, config: { symbol: 'SHARED', notes: 'notes' }, secrets });
    await bob.api.setMyBotConfig({ username, config: { symbol: 'OWN' }, secrets: { token: 'own-token' } });
    const [bobs, anns] = [
      await bob.api.sendMessage({ chat_id: group.id, text: 'go' }),
      await ann.api.sendMessage({ chat_id: group.id, text: 'go' }),
    ];
    const forBob = {
      user: 'bob',
      config: { symbol: 'OWN', notes: 'notes', limit: '10' },
      secrets: { token: 'own-token', pin: '2222' },
    };
    expect(await bot.api.getRunConfig({ message_id: bobs.id })).toEqual(forBob);
    const socket = await bot.socket();
    expect(await socket.rpc('getRunConfig', { message_id: bobs.id })).toEqual(forBob);
    expect(await bot.api.getRunConfig({ message_id: anns.id })).toEqual({
      user: 'ann',
      config: { symbol: 'SHARED', notes: 'notes', limit: '10' },
      secrets,
    });
    // Live: what is set now counts for a message of before.
    await bob.api.setMyBotConfig({ username, config: { limit: '3' }, secrets: { token: '' } });
    expect(await bot.api.getRunConfig({ message_id: bobs.id })).toEqual({
      user: 'bob',
      config: { symbol: 'SHARED', notes: 'notes', limit: '3' },
      secrets,
    });
  });

  test('BOTCONF-13: in a chain of agents it is the human at the root', async () => {
    await using world = await createWorld();
    const { ann, bob, bot, group } = await cast(world);
    const second = await makeBot(world, ann, 'second');
    await ann.api.addGroupAgent({ chat_id: group.id, agent_username: second.username });
    await bob.api.setMyBotConfig({ username: second.username, config: { symbol: 'ROOT' } });
    await ann.api.setMyBotConfig({ username: second.username, config: { symbol: 'OWNER' } });
    const question = await bob.api.sendMessage({ chat_id: group.id, text: 'go' });
    const { id } = await bot.api.startMessageStream({ chat_id: group.id, reply_to_message_id: question.id });
    // Not fired yet.
    expect(await refusal(second.api.getRunConfig({ message_id: id }))).toBe('404');
    await bot.api.finishMessageStream({ message_id: id, text: `over to @${second.username}` });
    expect(await second.api.getRunConfig({ message_id: id })).toMatchObject({
      user: 'bob',
      config: { symbol: 'ROOT' },
    });
    expect(await refusal(second.api.getRunConfig({ message_id: question.id }))).toBe('404');
  });

  test('BOTCONF-14: it is for the bot that was fired, while it takes part, and for nobody else', async () => {
    await using world = await createWorld();
    const { ann, bob, carol, bot, group, username } = await cast(world);
    const other = await makeBot(world, ann, 'other');
    await ann.api.addGroupAgent({ chat_id: group.id, agent_username: other.username });
    await bob.api.setMyBotConfig({ username, secrets: { token: 'canary-token' } });
    const { id: message_id } = await bob.api.sendMessage({ chat_id: group.id, text: 'go' });
    for (const human of [ann, bob, carol]) expect(await refusal(human.api.getRunConfig({ message_id }))).toBe('403');
    expect(await refusal(bob.api.getRunConfig({ message_id: group.id }))).toBe('403');
    expect(await refusal(other.api.getRunConfig({ message_id }))).toBe('404');
    expect(await refusal(bot.api.getRunConfig({ message_id: group.id }))).toBe('404');
    const own = await bot.api.sendMessage({ chat_id: group.id, text: 'nobody asked' });
    expect(await refusal(bot.api.getRunConfig({ message_id: own.id }))).toBe('404');
    const deleted = await bob.api.sendMessage({ chat_id: group.id, text: 'never mind' });
    await bob.api.deleteMessages({ message_ids: [deleted.id] });
    expect(await refusal(bot.api.getRunConfig({ message_id: deleted.id }))).toBe('404');
    expect((await bot.api.getRunConfig({ message_id })).secrets).toEqual({ token: 'canary-token' });
    await ann.api.removeGroupAgent({ chat_id: group.id, agent_username: username });
    expect(await refusal(bot.api.getRunConfig({ message_id }))).toBe('404');
  });

  test('BOTCONF-14: for an hour, and no longer', async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock });
    const { bob, bot, group } = await cast(world);
    const { id: message_id } = await bob.api.sendMessage({ chat_id: group.id, text: 'go' });
    await clock.advance(3_600_000);
    expect((await bot.api.getRunConfig({ message_id })).user).toBe('bob');
    await clock.advance(1);
    expect(await refusal(bot.api.getRunConfig({ message_id }))).toBe('404');
  });
});

describe('secrets', () => {
  /** Every form in which a secret could lie or travel. */
  const formsOf = (secret: string): string[] =>
    [secret, secret.slice(0, -4)].flatMap((text) => [text, Buffer.from(text).toString('base64').replace(/=+$/, '')]);

  test('BOTCONF-15: no secret is in a reply but that of getRunConfig, a frame, a log line, a metric, a unit or the data', async () => {
    const units: string[] = [];
    await using world = await createWorld({
      async startStore(options) {
        const runner = await startStoreThread(options);
        const { post } = runner;
        runner.post = (requests) => {
          units.push(JSON.stringify(requests));
          post(requests);
        };
        return runner;
      },
    });
    const { ann, bob, bot, group, username } = await cast(world);
    const canaries = {
      setAgentKey: newKey(),
      provider: newKey(),
      ownProvider: newKey(),
      shared: `canary-${newKey()}`,
      own: `canary-${newKey()}`,
      ownersOwn: `canary-${newKey()}`,
      replaced: `canary-${newKey()}`,
      refused: `canary-${newKey()}\0`,
    };
    const given = new Set([canaries.shared, canaries.own, canaries.ownersOwn]);
    const received: { by: string; text: string }[] = [];
    world.watcher = { begin: () => 0, read: ({ username: by }, text) => void received.push({ by, text }) };
    const sockets = await Promise.all([ann.socket(), bob.socket(), bot.socket()]);
    const provider = 'ann:provider_a';
    await ann.api.addGroupAgent({ chat_id: group.id, agent_username: provider, always_on: true });

    await ann.api.setAgentKey({ provider: 'provider_a', api_key: canaries.setAgentKey });
    // The vendor repeats the key in its refusal.
    world.providers.script(canaries.setAgentKey, { status: 401, message: `bad key ${canaries.setAgentKey}` });
    await ann.api.sendMessage({ chat_id: group.id, text: 'one' });
    await world.turnsEnded();
    await ann.api.setBotConfig({ username: provider, secrets: { api_key: canaries.provider } });
    await bob.api.setMyBotConfig({ username: provider, secrets: { api_key: canaries.ownProvider } });
    for (const key of [canaries.provider, canaries.ownProvider]) world.providers.script(key, { chunks: ['ok'] });

    await ann.api.setBotConfig({ username, secrets: { token: canaries.shared } });
    await ann.api.setMyBotConfig({ username, secrets: { token: canaries.ownersOwn } });
    await bob.api.setMyBotConfig({ username, secrets: { token: canaries.replaced } });
    await sockets[1]?.rpc('setMyBotConfig', { username, secrets: { token: canaries.own } });
    expect(await refusal(bob.api.setMyBotConfig({ username, secrets: { token: canaries.refused } }))).toBe(
      '400 secrets.token',
    );
    for (const one of [ann, bob, bot]) await one.api.getMyBotConfig({ username });
    for (const one of [ann, bob]) {
      const { id: message_id } = await one.api.sendMessage({ chat_id: group.id, text: 'two' });
      const expected = one === ann ? canaries.ownersOwn : canaries.own;
      expect((await bot.api.getRunConfig({ message_id })).secrets).toEqual({ token: expected });
      expect(await refusal(one.api.getRunConfig({ message_id }))).toBe('403');
    }
    await world.turnsEnded();
    for (const key of [canaries.setAgentKey, canaries.provider, canaries.ownProvider])
      expect(world.providers.requestsOf(key).length, 'the key reached its vendor').toBeGreaterThan(0);
    for (const one of [ann, bob, bot]) await one.api.getUpdates({ since: 0 });
    await world.settle();

    const metrics = await (await fetch(`${world.url}/metrics`)).text();
    const logs = JSON.stringify(world.logs);
    const holders = received.filter(({ text }) => [...given].some((secret) => text.includes(secret)));
    expect(holders.map(({ by }) => by)).toEqual([username, username]);
    expect(units.length).toBeGreaterThan(10);
    for (const secret of Object.values(canaries))
      for (const form of formsOf(secret)) {
        const told = received.filter(
          ({ text }) => text.includes(form) || text.includes(JSON.stringify(form).slice(1, -1)),
        );
        for (const { by, text } of told) {
          expect({ by, given: given.has(secret) }).toEqual({ by: username, given: true });
          expect(Object.keys(JSON.parse(text).result)).toEqual(['user', 'config', 'secrets']);
        }
        expect(logs, 'the log').not.toContain(form);
        expect(metrics, 'the metrics').not.toContain(form);
        expect(units.join('\n'), 'what travels to the store').not.toContain(form);
      }
    for (const name of readdirSync(world.dataDir)) {
      const bytes = readFileSync(join(world.dataDir, name));
      for (const secret of Object.values(canaries))
        for (const form of formsOf(secret)) expect(bytes.includes(form), `${form} in ${name}`).toBe(false);
    }
  });

  test('BOTCONF-16: after resealing under a new key the service runs with that key alone', async () => {
    const [first, second] = ['first', 'second'].map((id) => ({ id, bytes: randomBytes(32) }));
    if (!first || !second) throw new Error('there are two');
    const text = ({ id, bytes }: typeof first) => `${id}:${bytes.toString('base64')}`;
    const env = { SECRETS_KEY: text(first) };
    await using world = await createWorld({ env });
    const { ann, bob, bot, group, username } = await cast(world);
    await ann.api.setBotConfig({ username, secrets: { token: 'shared-token', pin: '1234' } });
    await bob.api.setMyBotConfig({ username, secrets: { token: 'own-token' } });
    const { id: message_id } = await bob.api.sendMessage({ chat_id: group.id, text: 'go' });
    const expected = { token: 'own-token', pin: '1234' };
    expect((await bot.api.getRunConfig({ message_id })).secrets).toEqual(expected);
    env.SECRETS_KEY = [second, first].map(text).join(',');
    await world.restart();
    expect((await bot.api.getRunConfig({ message_id })).secrets).toEqual(expected);
    // Beside the service, as the admin command does.
    const connection = new SqliteConnection(join(world.dataDir, 'parley.db'));
    expect(await resealAll(connection, new KeyRing([second, first]))).toEqual({ resealed: 3, already: 0, failed: 0 });
    connection.close();
    env.SECRETS_KEY = text(second);
    await world.restart();
    expect((await bot.api.getRunConfig({ message_id })).secrets).toEqual(expected);
  });

  test('BOTCONF-6: settings outlive a crash', async () => {
    await using world = await createWorld();
    const { ann, bob, username } = await cast(world);
    await ann.api.setBotConfig({ username, config: { symbol: 'KEPT' }, show_on_profile: ['symbol'], is_public: true });
    await bob.api.setMyBotConfig({ username, config: { limit: '5' }, secrets: { token: 'kept-secret-4321' } });
    const views = () => Promise.all([ann, bob].map((one) => one.api.getMyBotConfig({ username })));
    const before = await views();
    await world.crash();
    expect(await views()).toEqual(before);
  });
});

/** The system prompt in either vendor's place. */
function systemOf(body: Readonly<Record<string, unknown>>): unknown {
  const messages = body['messages'] as readonly { role: string; content: string }[]; // the fake has checked its shape
  return body['system'] ?? messages.find(({ role }) => role === 'system')?.content;
}
