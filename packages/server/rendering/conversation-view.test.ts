import { expect, test } from 'vitest';
import { renderJson } from '../core/json.ts';
import { AccountTexts } from './account-texts.ts';
import { ownChatByKey } from '../store/chats.ts';
import { conversationView } from './conversation-view.ts';
import { SqliteConnection } from '../store/engines/sqlite.ts';
import { messageByKey } from '../store/messages.ts';
import { migrateSqlite } from '../store/migrate.ts';
import type { SqlValue, Statement } from '../store/sql.ts';

const [CHAT, READER, OTHER] = [1, 1, 2];

/** Counts the rows and characters that statements return. */
class CountingConnection extends SqliteConnection {
  asked = 0;
  /** Characters of records. */
  recordChars = 0;
  /** Called before a whole message is read. */
  beforeMessage: (() => void) | null = null;
  override get<Row, Params extends readonly SqlValue[]>(what: Statement<Row, Params>, ...params: Params) {
    if (what.sql === messageByKey.sql) this.beforeMessage?.();
    return this.#count(super.get(what, ...params));
  }
  override all<Row, Params extends readonly SqlValue[]>(what: Statement<Row, Params>, ...params: Params) {
    const rows = super.all(what, ...params);
    for (const row of rows) this.#count(row);
    return rows;
  }
  #count<Row>(row: Row): Row {
    this.asked += 1;
    if (typeof row === 'object' && row !== null && 'record' in row) this.recordChars += String(row.record).length;
    return row;
  }
}

interface Sent {
  channel?: number;
  thread?: number;
  sender?: number;
  content?: string;
}

/** A group of two with the given number of channels; its messages are inserted directly. */
function open(channels: number) {
  const store = new CountingConnection(':memory:');
  migrateSqlite(store);
  store.exec('BEGIN');
  const run = (sql: string, ...params: SqlValue[]) => store.run({ sql }, ...params);
  for (const [key, name] of [
    [READER, 'reader'],
    [OTHER, 'other'],
  ] as const)
    run(
      `INSERT INTO accounts (key, username, kind, display_name, search_name, created_at) VALUES ($1, $2, 'human', $2, $2, 0)`,
      key,
      name,
    );
  const id = (number: number) => new Uint8Array(Buffer.from(number.toString(16).padStart(32, '0'), 'hex'));
  run(
    `INSERT INTO chats (key, id, kind, participant_count, created_at, updated_at) VALUES (1, $1, 'group', 2, 0, 0)`,
    id(1),
  );
  for (const key of [READER, OTHER])
    run(`INSERT INTO participants (chat_key, account_key, role, joined_at) VALUES (1, $1, 'member', 0)`, key);
  for (let key = 1; key <= channels; key += 1)
    run(`INSERT INTO channels (key, id, chat_key, title, created_at) VALUES ($1, $2, 1, 'channel', 0)`, key, id(key));
  let last = 0;
  const send = ({ channel = 0, thread = 0, sender = OTHER, content = '' }: Sent = {}): number => {
    last += 1;
    run(
      `INSERT INTO messages (key, id, chat_key, channel_key, thread_key, sender_key, status, marks, created_at, record)
       VALUES ($1, $2, 1, $3, $4, $5, 'complete', 0, 0, $6)`,
      last,
      id(last),
      channel,
      thread,
      sender,
      JSON.stringify({ id: `${last}`, content }),
    );
    if (thread !== 0)
      run(
        `INSERT INTO threads (root_key, chat_key, channel_key, reply_count, last_key, last_at) VALUES ($1, 1, $2, 1, $3, 0)
         ON CONFLICT (root_key) DO UPDATE SET last_key = excluded.last_key`,
        thread,
        channel,
        last,
      );
    return last;
  };
  const view = async () => {
    const chat = store.get(ownChatByKey, CHAT, READER);
    if (!chat) throw new Error('the reader takes part');
    [store.asked, store.recordChars] = [0, 0];
    const {
      unread_count,
      channels: shown,
      last_message,
    } = JSON.parse(
      renderJson(await conversationView({ tx: store, accounts: new AccountTexts() }, chat, READER, 0)),
    ) as {
      unread_count: number;
      channels: { unread_count: number }[];
      last_message: { id: string } | null;
    };
    const { asked, recordChars } = store;
    return { unread_count, channels: shown.map((one) => one.unread_count), last: last_message?.id, asked, recordChars };
  };
  return { store, send, run, view, [Symbol.dispose]: () => store.close() };
}

test('CONV-9: at most 10,000 messages of a conversation are counted, some in every timeline', async () => {
  using chat = open(4);
  for (let at = 0; at < 6_000; at += 1) for (const channel of [0, 1, 2]) chat.send({ channel });
  for (let at = 0; at < 3; at += 1) chat.send({ channel: 3 });
  expect(await chat.view()).toMatchObject({ unread_count: 10_000, channels: [3_332, 3_332, 3, 0] });
});

test('CONV-9: a timeline’s unused part of its share of the limit goes to the other timelines', async () => {
  using chat = open(2);
  for (let at = 0; at < 9_000; at += 1) chat.send();
  for (let at = 0; at < 10; at += 1) for (const channel of [1, 2]) chat.send({ channel });
  for (let at = 0; at < 5; at += 1) chat.send({ channel: 1, thread: 9_001 });
  expect(await chat.view()).toMatchObject({ unread_count: 9_025, channels: [15, 10] });
});

test('CONV-9: messages that do not count as unread also use up the limit; the newest are read first', async () => {
  using chat = open(0);
  for (let at = 0; at < 100; at += 1) chat.send();
  for (let at = 0; at < 9_950; at += 1) chat.send({ sender: READER });
  expect(await chat.view()).toMatchObject({ unread_count: 50 });
  for (let at = 0; at < 7; at += 1) chat.send();
  expect(await chat.view()).toMatchObject({ unread_count: 50 });
});

test('CONV-9: if there are very many threads, those with the newest replies are counted', async () => {
  using chat = open(0);
  for (let at = 0; at < 1_200; at += 1) chat.send();
  for (let root = 1; root <= 1_200; root += 1) chat.send({ thread: root });
  const { unread_count, asked } = await chat.view();
  expect(unread_count).toBe(2_200);
  expect(asked).toBeLessThan(2_100);
});

test('CONV-11: one whole message is read, with few statements, however many channels there are', async () => {
  using chat = open(300);
  const content = 'x'.repeat(1_000);
  for (let channel = 300; channel >= 0; channel -= 1) chat.send({ channel, content });
  chat.run('UPDATE participants SET read_key = 301');
  expect(await chat.view()).toMatchObject({ unread_count: 0, last: '301' });
  const { asked, recordChars } = await chat.view();
  expect(recordChars).toBeLessThan(1_100);
  // One row per channel, with its newest message; the other rows do not depend on the number of channels.
  expect(asked).toBeLessThan(300 * 2 + 20);
});

test('CONV-11, GROUP-13: threads of deleted channels are not read one by one', async () => {
  using chat = open(1);
  const root = chat.send({ content: 'still there' });
  for (let at = 0; at < 200; at += 1) chat.send({ channel: 1 });
  for (let at = 0; at < 200; at += 1) chat.send({ channel: 1, thread: root + 1 + at });
  chat.run('UPDATE channels SET deleted_at = 1');
  const { last, unread_count, asked } = await chat.view();
  expect({ last, unread_count }).toEqual({ last: '1', unread_count: 1 });
  expect(asked).toBeLessThan(20);
});

test('CONV-11, DEL-5: a message that is deleted while the Conversation is read is not its last message', async () => {
  using chat = open(1);
  chat.send();
  chat.send({ channel: 1 });
  chat.store.beforeMessage = () => {
    chat.store.beforeMessage = null;
    chat.run('UPDATE messages SET deleted_at = 1 WHERE key = 2');
  };
  expect(await chat.view()).toMatchObject({ last: '1' });
});
