import type { FieldSpec, MyBotConfig, Params } from '@parley/protocol';
import { createWorld } from '@parley/testing';
import { describe, expect, test } from 'vitest';
import { rowsIn } from '../helpers/rows-in.ts';
import { cast, newKey, refusal, schema } from './settings-cast.ts';

const keysOf = (specs: readonly FieldSpec[]): string[] => specs.map(({ key }) => key);

describe('getting settings', () => {
  test('BOTCONF-2: a bot has the schema it was created with, a provider agent that of its provider, the guide none', async () => {
    await using world = await createWorld({ env: { PROVIDER_A_MODEL: 'a-model', PROVIDER_B_MODEL: 'b-model' } });
    const { ann, bob, username } = await cast(world);
    const view = await bob.api.getMyBotConfig({ username });
    expect(view).toMatchObject({ ...schema, bot: { username, kind: 'agent', parent_username: 'ann' } });
    for (const [slug, model] of [
      ['provider_a', 'a-model'],
      ['provider_b', 'b-model'],
    ] as const) {
      const own = await ann.api.getMyBotConfig({ username: `ann:${slug}` });
      const keys = ['model', 'system_prompt', 'temperature', 'max_output_tokens', 'thinking'];
      // The models of another server than OpenAI's have no search.
      const search = slug === 'provider_a' ? ['web_search'] : [];
      expect(keysOf(own.config_schema)).toEqual([...keys, ...search]);
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

  test('BOTCONF-19: createBot refuses a default that does not fit its field, without quoting it', async () => {
    await using world = await createWorld();
    const { ann } = await world.people('ann');
    const told: string[] = [];
    world.watcher = { begin: () => 0, read: (_receiver, text) => void told.push(text) };
    const make = (slug: string, defaults: Partial<Record<FieldSpec['type'], string>>) => {
      const config_schema = Object.entries(defaults).map(([type, value]) => ({
        key: type,
        label: type,
        type: type as FieldSpec['type'], // the keys of `defaults` are types
        options: ['one', 'two'],
        default: value,
      }));
      return refusal(ann.api.createBot({ slug, display_name: slug, config_schema }));
    };
    const slow = `${'1'.repeat(4_095)}x`;
    for (const wrong of [{ number: 'qqq' }, { number: slow }, { boolean: 'qqq' }, { select: 'qqq' }])
      expect(await make('wrong', { string: 'fits', ...wrong })).toBe('400 config_schema.1.default');
    for (const wrong of [{ string: 'q'.repeat(4_097) }, { text: 'qqq\0' }])
      expect(await make('wrong', wrong)).toBe('400 config_schema.0.default');
    expect(told.join('\n')).not.toMatch(/qqq|1{20}/);
    expect(await make('right', { number: '1.5', boolean: 'true', select: 'two', string: 'x', text: '\n' })).toBe(
      'done',
    );
    // A blank default counts as none, like a blank value.
    expect(await make('blank', { number: '', boolean: ' ', select: '' })).toBe('done');
  });

  test('BOTCONF-1: settings are visible to the owner and to accounts that share a conversation, to no others', async () => {
    await using world = await createWorld();
    const { ann, bob, carol, bot, group, username } = await cast(world);
    for (const one of [ann, bob, bot]) expect((await one.api.getMyBotConfig({ username })).bot.username).toBe(username);
    const missing = carol.api.getMyBotConfig({ username: `${username}_no` });
    await expect(missing).rejects.toMatchObject({ status: 404, description: 'not found: agent' });
    const foreign = () => refusal(carol.api.getMyBotConfig({ username }));
    expect(await foreign()).toBe('403');
    expect(await refusal(carol.api.setMyBotConfig({ username, config: {} }))).toBe('403');
    // Anyone may start a chat with a public bot, but only accounts that have started one see its settings.
    await ann.api.setBotConfig({ username, is_public: true });
    expect(await foreign()).toBe('403');
    await carol.api.startChat({ username });
    expect((await carol.api.getMyBotConfig({ username })).bot.username).toBe(username);
    await bob.api.leaveChat({ chat_id: group.id });
    expect(await refusal(bob.api.getMyBotConfig({ username }))).toBe('403');
    expect(await refusal(bob.api.setMyBotConfig({ username, config: { symbol: 'X' } }))).toBe('403');
    expect(await refusal(bob.api.getMyBotConfig({ username: 'bob' }))).toBe('400 username');
    expect(await refusal(ann.api.setBotConfig({ username: 'bob' }))).toBe('400 username');
    await ann.api.deleteBot({ username });
    for (const one of [ann, bob, carol]) expect(await refusal(one.api.getMyBotConfig({ username }))).toBe('404');
  });

  test('BOTCONF-3: numbers and booleans in config are stored as text', async () => {
    await using world = await createWorld();
    const { ann } = await world.people('ann');
    const config = { temperature: 0.5, max_output_tokens: 1000 };
    const username = 'ann:provider_a';
    const text = { temperature: '0.5', max_output_tokens: '1000' };
    expect(await ann.api.setMyBotConfig({ username, config })).toMatchObject({ my_config: text });
    expect(await ann.api.setBotConfig({ username, config })).toMatchObject({ owner_config: text });
    expect(await refusal(ann.api.setMyBotConfig({ username, config: { temperature: true } }))).toBe(
      '400 config.temperature',
    );
  });

  test('BOTCONF-7: others see the values that the owner published, and of the rest only whether they are set', async () => {
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

describe('changing settings', () => {
  test('BOTCONF-4: setMyBotConfig replaces the whole override with the entries that are not blank', async () => {
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

  test('BOTCONF-5: given secrets replace stored ones, a blank value clears one, the others stay, and only tails are shown', async () => {
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

  test('BOTCONF-6: an override applies only to its account and changes no default; an owner may have one too', async () => {
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
    // Bots have no overrides: only people are at the root of a turn.
    expect(await refusal(bot.api.setMyBotConfig(change))).toBe('403');
    expect(await refusal(bot.api.setMyBotConfig({ username: 'ann:nothing' }))).toBe('404');
  });

  test('BOTCONF-8: only the owner may call setBotConfig; it replaces config and list, merges secrets and keeps the rest', async () => {
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

  test('BOTCONF-3: a value that does not fit the schema is 400, names its field, and nothing is stored', async () => {
    await using world = await createWorld();
    const { ann, bob, username } = await cast(world);
    const prototype: Record<string, string> = JSON.parse('{"__proto__":"x"}');
    const secretish = 'sk-ant-a-key-in-the-wrong-place';
    const values = (count: number, value: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]));
    const eighth = '🦜'.repeat(8 * 1_024);
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
      [{ config: { symbol: {} } }, '400 config.symbol'],
      [{ config: { symbol: null } }, '400 config.symbol'],
      [{ config: { symbol: '\ud800' } }, '400 config.symbol'],
      [{ config: 'symbol' }, '400 config'],
      [{ config: ['symbol'] }, '400 config'],
      [{ config: values(9, 'x'.repeat(30_000)) }, '413 config'],
      // Up to 256 KiB the values are checked; more is 413.
      [{ config: values(8, eighth) }, '400 config.k0'],
      [{ config: { ...values(8, eighth), symbol: 'x' } }, '413 config'],
      [{ config: values(8, eighth), secrets: { token: 'x' } }, '413 secrets'],
      [{ config: values(4, eighth), secrets: values(5, eighth) }, '413 secrets'],
      [{ secrets: values(9, eighth) }, '413 secrets'],
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
      // Deliberately not of the declared type.
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
    // Many values that each fit are stored unchanged.
    const full = {
      symbol: '🦜'.repeat(1_024),
      limit: '-1.5e3',
      dry_run: 'false',
      side: 'sell',
      notes: 'a\n'.repeat(9_000),
    };
    expect((await bob.api.setMyBotConfig({ username, config: full })).my_config).toEqual(full);
  });

  test('BOTCONF-9: setAgentKey and the api_key of setBotConfig set the same value', async () => {
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

  test('BOTCONF-18: anyone may start a chat with an agent while it is public, and not before or after', async () => {
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

  test('BOTCONF-17: deleting a bot deletes everyone’s settings for it', async () => {
    await using world = await createWorld();
    const { ann, bob, username } = await cast(world);
    const change = { username, config: { symbol: 'A' }, secrets: { token: 'a-token' } };
    await ann.api.setBotConfig(change);
    await bob.api.setMyBotConfig(change);
    const tables = ['agent_config', 'agent_overrides', 'agent_secrets', 'override_secrets'];
    const counts = () => Promise.all(tables.map((table) => rowsIn(world, table)));
    expect(await counts()).toEqual([1, 1, 1, 1]);
    await ann.api.deleteBot({ username });
    expect(await counts()).toEqual([0, 0, 0, 0]);
  });
});

test('STORE-7: settings survive a crash', async () => {
  await using world = await createWorld();
  const { ann, bob, username } = await cast(world);
  await ann.api.setBotConfig({ username, config: { symbol: 'KEPT' }, show_on_profile: ['symbol'], is_public: true });
  await bob.api.setMyBotConfig({ username, config: { limit: '5' }, secrets: { token: 'kept-secret-4321' } });
  const views = () => Promise.all([ann, bob].map((one) => one.api.getMyBotConfig({ username })));
  const before = await views();
  await world.crash();
  expect(await views()).toEqual(before);
});
