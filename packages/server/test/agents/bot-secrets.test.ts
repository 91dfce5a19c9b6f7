import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorld } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { inTransaction, resealAll } from '../../secrets/reseal.ts';
import { KeyRing } from '../../secrets/seal.ts';
import { SqliteConnection } from '../../store/engines/sqlite.ts';
import { startStore } from '../../service/start-store.ts';
import { cast, newKey, refusal, schema } from './settings-cast.ts';

/** The forms in which a secret could be stored or sent: as text or base64, whole or without its tail. */
const formsOf = (secret: string): string[] =>
  [secret, secret.slice(0, -4)].flatMap((text) => [text, Buffer.from(text).toString('base64').replace(/=+$/, '')]);

test('BOTCONF-15: no secret is in a frame, log line, metric, unit, stored data, or any reply but that of getRunConfig', async () => {
  const units: string[] = [];
  await using world = await createWorld({
    async startStore(options, position) {
      const runner = await startStore(options, position);
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
    default: `canary-${newKey()}`,
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
  const pin = { key: 'pin', label: 'PIN', type: 'string' } as const;
  const secret_schema = [pin, { ...pin, key: 'token', default: canaries.default }];
  const second = { slug: 'second', display_name: 'Second', secret_schema };
  expect(await refusal(ann.api.createBot(second))).toBe('400 secret_schema.1.default');
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
  for (const file of readdirSync(world.dataDir, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const { name } = file;
    const bytes = readFileSync(join(file.parentPath, name));
    for (const secret of Object.values(canaries))
      for (const form of formsOf(secret)) expect(bytes.includes(form), `${form} in ${name}`).toBe(false);
  }
});

test('BOTCONF-19: a default value of a secret in an older database is neither shown nor used', async () => {
  await using world = await createWorld();
  const { ann, bob, bot, group, username } = await cast(world);
  const old = schema.secret_schema.map((spec) => ({ ...spec, default: '12345678' }));
  await world.sql('UPDATE bots SET secret_schema = $1', JSON.stringify(old));
  for (const one of [ann, bob, bot]) {
    const view = await one.api.getMyBotConfig({ username });
    expect(view.secret_schema).toEqual(schema.secret_schema);
    expect(view.owner_secret_fields).toEqual([]);
  }
  const { id: message_id } = await bob.api.sendMessage({ chat_id: group.id, text: 'go' });
  expect((await bot.api.getRunConfig({ message_id })).secrets).toEqual({});
  await bob.api.setMyBotConfig({ username, secrets: { token: 'own-token' } });
  expect((await bot.api.getRunConfig({ message_id })).secrets).toEqual({ token: 'own-token' });
});

embeddedTest('the admin command')(
  'BOTCONF-16: after resealing under a new key the service runs with that key alone',
  async () => {
    const [first, second] = ['first', 'second'].map((id) => ({ id, bytes: randomBytes(32) }));
    if (!first || !second) throw new Error('there are two');
    const text = ({ id, bytes }: typeof first) => `${id}:${bytes.toString('base64')}`;
    // The pair of web pushes is sealed too.
    const env = { SECRETS_KEY: text(first), WEB_PUSH: 'made' };
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
    // Reseal while the service runs, as the admin command does.
    const connection = new SqliteConnection(join(world.dataDir, 'parley.db'));
    expect(
      await resealAll(connection, new KeyRing([second, first]), (batch) => inTransaction(connection, batch)),
    ).toEqual({ resealed: 4, already: 0, failed: 0 });
    connection.close();
    env.SECRETS_KEY = text(second);
    await world.restart();
    expect((await bot.api.getRunConfig({ message_id })).secrets).toEqual(expected);
  },
);
