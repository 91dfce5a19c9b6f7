import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SqliteConnection } from './engines/sqlite.ts';
import { deleteExpiredInvites, inviteByToken, insertInvite, takeUse } from './invites.ts';
import { migrateSqlite } from './migrate.ts';

let folder: string;
let connection: SqliteConnection;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-invites-'));
  connection = new SqliteConnection(join(folder, 'parley.db'));
  migrateSqlite(connection);
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

function put(maxUses: number | null, expiresAt: number | null): () => { uses: number; expires_at: number | null } {
  const hash = randomBytes(32);
  connection.run(insertInvite, randomBytes(16), 1, 1, hash, 'sealed', maxUses, 0, expiresAt);
  return () => connection.get(inviteByToken, hash) ?? expect.fail('it is gone');
}

test('INVITE-9: of several units that read one remaining use, only one takes it, on every engine', () => {
  const invite = put(2, null);
  expect([1, 2, 3, 4].map(() => connection.run(takeUse, 1, 500))).toEqual([1, 1, 0, 0]);
  expect(invite()).toMatchObject({ uses: 2, expires_at: 500 });
});

test('INVITE-11: a used-up invite is deleted after its time, and using it up never extends the time', () => {
  const [short, endless] = [put(1, 400), put(null, null)];
  connection.run(takeUse, 1, 500);
  connection.run(takeUse, 2, 500);
  expect(short()).toMatchObject({ uses: 1, expires_at: 400 });
  expect(endless()).toMatchObject({ uses: 1, expires_at: null });
  expect(connection.run(deleteExpiredInvites, 399, 10)).toBe(0);
  expect(connection.run(deleteExpiredInvites, 400, 10)).toBe(1);
});

test('INVITE-11: a limited number of invites is deleted at once, beginning with those that expired first', () => {
  const invites = [30, 10, 20].map((expiresAt) => put(null, expiresAt));
  expect(connection.run(deleteExpiredInvites, 100, 2)).toBe(2);
  expect(invites[0]?.()).toMatchObject({ expires_at: 30 });
});
