import { mkdtempSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tokenHash } from '../secrets/tokens.ts';
import { SqliteConnection } from '../store/engines/sqlite.ts';
import { insertInvite, sealedInvites } from '../store/invites.ts';
import { migrateSqlite } from '../store/migrate.ts';
import { type SecretLayer, secretsOf } from '../store/secrets.ts';
import { addServiceKey, serviceKey } from '../store/service-keys.ts';
import { insertSubscription, sealedSubscriptions } from '../store/webhook-subscriptions.ts';
import { inTransaction, resealAll } from './reseal.ts';
import {
  inviteBinding,
  KeyRing,
  maskedTail,
  secretBinding,
  type SecretKey,
  serviceKeyBinding,
  subscriptionBinding,
} from './seal.ts';
import { newToken } from './tokens.ts';

const keyOf = (id: string): SecretKey => ({ id, bytes: randomBytes(32) });
const [oldest, old, fresh] = [keyOf('oldest'), keyOf('old'), keyOf('fresh')];

let folder: string;
let connection: SqliteConnection;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-reseal-'));
  connection = new SqliteConnection(join(folder, 'parley.db'));
  migrateSqlite(connection);
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

function put(key: SecretKey, layer: SecretLayer, agent: number, field: string, secret: string): void {
  const sealed = new KeyRing([key]).seal(secret, secretBinding(agent, 7, field, layer));
  connection.run(secretsOf[layer].put, agent, 7, field, sealed, maskedTail(secret), null);
}

const read = (keys: KeyRing, layer: SecretLayer, agent: number): Record<string, string> =>
  Object.fromEntries(
    connection
      .all(secretsOf[layer].of, agent, 7)
      .map(({ field, sealed }) => [field, keys.open(sealed, secretBinding(agent, 7, field, layer))]),
  );

test('CUSTOM-9, BOTCONF-16: a key for one origin stays bound to it when it is sealed again', async () => {
  const origin = 'https://models.example';
  const binding = secretBinding(1, 7, 'api_key', 'owner', origin);
  const sealed = new KeyRing([old]).seal('for one origin', binding);
  connection.run(secretsOf.owner.put, 1, 7, 'api_key', sealed, '••••', origin);
  await resealAll(connection, new KeyRing([fresh, old]), (batch) => inTransaction(connection, batch));
  const [row] = connection.all(secretsOf.owner.of, 1, 7);
  const alone = new KeyRing([fresh]);
  expect(alone.open(row?.sealed ?? '', binding)).toBe('for one origin');
  for (const other of [null, 'https://other.example'])
    expect(() => alone.open(row?.sealed ?? '', secretBinding(1, 7, 'api_key', 'owner', other))).toThrow();
});

test('WEBHOOK-31, BOTCONF-16: secrets of webhook subscriptions are sealed again', async () => {
  const id = randomBytes(16);
  const sealed = new KeyRing([old]).seal('whsec_x', subscriptionBinding(id));
  connection.get(insertSubscription, id, 7, 0, 'https://a.example', '[]', sealed, 0, 0);
  const all = new KeyRing([fresh, old]);
  expect(await resealAll(connection, all, (batch) => inTransaction(connection, batch))).toMatchObject({ resealed: 1 });
  const [row] = connection.all(sealedSubscriptions, 0, 1);
  expect(new KeyRing([fresh]).open(row?.sealed ?? '', subscriptionBinding(id))).toBe('whsec_x');
});

test('BOTCONF-16: resealing seals every secret under the first key, so that the others can be removed', async () => {
  // More than two batches of one table, under two older keys.
  for (let agent = 1; agent <= 250; agent += 1) {
    put(agent % 2 === 0 ? old : oldest, 'owner', agent, 'api_key', `shared ${agent}`);
    put(fresh, 'owner', agent, 'token', `new ${agent}`);
  }
  put(old, 'override', 1, 'api_key', 'own');
  const all = new KeyRing([fresh, old, oldest]);
  expect(await resealAll(connection, all, (batch) => inTransaction(connection, batch))).toEqual({
    resealed: 251,
    already: 250,
    failed: 0,
  });
  const alone = new KeyRing([fresh]);
  for (let agent = 1; agent <= 250; agent += 1)
    expect(read(alone, 'owner', agent)).toEqual({ api_key: `shared ${agent}`, token: `new ${agent}` });
  expect(read(alone, 'override', 1)).toEqual({ api_key: 'own' });
  expect(connection.all(secretsOf.override.of, 1, 7)[0]?.tail).toBe(maskedTail('own'));
  expect(await resealAll(connection, alone, (batch) => inTransaction(connection, batch))).toEqual({
    resealed: 0,
    already: 501,
    failed: 0,
  });
  expect(connection.inTransaction).toBe(false);
});

test('BOTCONF-16, INVITE-2: resealing includes the tokens of invites', async () => {
  const before = new KeyRing([old]);
  for (let at = 1; at <= 201; at += 1) {
    const { token, hash } = newToken('i_');
    const sealed = before.seal(token, inviteBinding(hash));
    connection.run(insertInvite, randomBytes(16), 1, 1, hash, sealed, null, 0, null);
  }
  // Copied from another row.
  const [one] = connection.all(sealedInvites, 0, 1);
  connection.run(insertInvite, randomBytes(16), 1, 1, randomBytes(32), one?.sealed ?? '', null, 0, null);
  const all = new KeyRing([fresh, old]);
  expect(await resealAll(connection, all, (batch) => inTransaction(connection, batch))).toEqual({
    resealed: 201,
    already: 0,
    failed: 1,
  });
  const alone = new KeyRing([fresh]);
  for (const { sealed, token_hash } of connection.all(sealedInvites, 0, 201))
    expect(tokenHash(alone.open(sealed, inviteBinding(token_hash)))).toEqual(Buffer.from(token_hash));
  expect(await resealAll(connection, all, (batch) => inTransaction(connection, batch))).toEqual({
    resealed: 0,
    already: 201,
    failed: 1,
  });
});

test('BOTCONF-16, NOTIF-12: resealing includes the keys that the service has made', async () => {
  const binding = serviceKeyBinding('vapid');
  connection.run(addServiceKey, 'vapid', new KeyRing([old]).seal('a private key', binding));
  await resealAll(connection, new KeyRing([fresh, old]), (batch) => inTransaction(connection, batch));
  const { sealed = '' } = connection.get(serviceKey, 'vapid') ?? {};
  expect(new KeyRing([fresh]).open(sealed, binding)).toBe('a private key');
});

test('BOTCONF-16: a secret that no key opens is counted and left unchanged', async () => {
  put(oldest, 'owner', 1, 'api_key', 'lost');
  put(old, 'owner', 2, 'api_key', 'kept');
  // Copied from elsewhere: sealed for another field.
  const moved = new KeyRing([old]).seal('moved', secretBinding(3, 7, 'other', 'owner'));
  connection.run(secretsOf.owner.put, 3, 7, 'api_key', moved, '••••', null);
  // Another key with the same id, as after a mistaken rotation.
  put({ ...fresh, bytes: randomBytes(32) }, 'override', 4, 'api_key', 'namesake');
  const before = [1, 3].map((agent) => connection.all(secretsOf.owner.of, agent, 7));
  expect(await resealAll(connection, new KeyRing([fresh, old]), (batch) => inTransaction(connection, batch))).toEqual({
    resealed: 1,
    already: 0,
    failed: 3,
  });
  expect([1, 3].map((agent) => connection.all(secretsOf.owner.of, agent, 7))).toEqual(before);
  expect(read(new KeyRing([fresh]), 'owner', 2)).toEqual({ api_key: 'kept' });
});

test('BOTCONF-16: a value written meanwhile is not overwritten', () => {
  put(fresh, 'owner', 1, 'api_key', 'newer');
  const keys = new KeyRing([fresh]);
  expect(connection.run(secretsOf.owner.reseal, 1, 7, 'api_key', 'what was read before', 'older')).toBe(0);
  expect(read(keys, 'owner', 1)).toEqual({ api_key: 'newer' });
});

test('BOTCONF-15: a sealed value opens only for its own agent, account, field and layer', () => {
  const keys = new KeyRing([fresh]);
  const sealed = keys.seal('secret', secretBinding(1, 2, 'field', 'override'));
  expect(keys.open(sealed, secretBinding(1, 2, 'field', 'override'))).toBe('secret');
  const others = [
    secretBinding(2, 2, 'field', 'override'),
    secretBinding(1, 1, 'field', 'override'),
    secretBinding(1, 2, 'other', 'override'),
    secretBinding(1, 2, 'field', 'owner'),
  ];
  for (const binding of others) expect(() => keys.open(sealed, binding)).toThrow();
});
