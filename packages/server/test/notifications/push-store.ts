import { SqliteConnection } from '../../store/engines/sqlite.ts';
import { migrateSqlite } from '../../store/migrate.ts';
import { insertParticipant } from '../../store/chats.ts';
import { putToken, type PushPlatform } from '../../store/notifications.ts';
import { type SqlValue, statement } from '../../store/sql.ts';

const chatKey = 1;

/** A store in memory with a group, for tests of how recipients and their tokens are found. */
export class PushStore implements Disposable {
  readonly sql = new SqliteConnection(':memory:');

  constructor() {
    migrateSqlite(this.sql);
    this.#insert('chats', {
      key: chatKey,
      id: bytes(1),
      kind: 'group',
      title: 'a group',
      created_at: 0,
      updated_at: 0,
    });
  }

  account(key: number, row: { kind?: string; deleted_at?: number } = {}): void {
    const names = { username: `u${key}`, display_name: `U${key}`, search_name: `u${key}` };
    this.#insert('accounts', { key, kind: 'human', created_at: 0, ...names, ...row });
  }

  join(accountKey: number): void {
    this.sql.run(insertParticipant, chatKey, accountKey, 'member', null, 0, 0, 0);
  }

  session(key: number, accountKey: number, expiresAt: number): Uint8Array {
    const id = bytes(key);
    const times = { created_at: 0, last_active_at: 0, expires_at: expiresAt };
    this.#insert('sessions', { key, id, account_key: accountKey, token_hash: id, ...times });
    return id;
  }

  /** Adds a push token. Returns its key. */
  token(
    accountKey: number,
    address: string,
    session: Uint8Array | null = null,
    platform: PushPlatform = 'web',
  ): number {
    this.sql.run(putToken, platform, address, 'the token', accountKey, session, 0, null);
    return Number(this.sql.get(lastKey)?.key);
  }

  /** Adds a message without a sender, by default in the group. */
  message(key: number, row: { chat_key?: number; channel_key?: number } = {}): void {
    const known = { id: bytes(key), chat_key: chatKey, channel_key: 0, thread_key: 0, sender_key: 0 };
    this.#insert('messages', { key, status: 'complete', marks: 0, created_at: 0, record: '{}', ...known, ...row });
  }

  #insert(table: string, row: Readonly<Record<string, SqlValue>>): void {
    const places = Object.keys(row).map((_, at) => `$${at + 1}`);
    const sql = `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${places.join()})`;
    this.sql.run(statement<never, SqlValue[]>(sql), ...Object.values(row));
  }

  [Symbol.dispose](): void {
    this.sql.close();
  }
}

const lastKey = statement<{ key: number }>('SELECT max(key) AS key FROM push_tokens');
const bytes = (key: number): Uint8Array => Buffer.from(`id ${key}`);
