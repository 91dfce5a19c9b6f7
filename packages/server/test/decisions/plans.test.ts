// Decisions are found without reading those of other people, or older ones, however many there are.
import { createWorld } from '@parley/testing';
import { describeCluster, embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { decisionPages, openFor } from '../../store/decisions.ts';
import type { SqlValue } from '../../store/sql.ts';
import { scene } from './scene.ts';

embeddedTest('its plans')(
  'DECIDE-10, DECIDE-13: a page of decisions, and the open ones of a conversation, are read by an index',
  async () => {
    await using world = await createWorld();
    const planOf = async ({ sql }: { sql: string }) => {
      const plan = await world.service.read.all<{ detail: string }, []>({ sql: `EXPLAIN QUERY PLAN ${sql}` });
      return plan.map(({ detail }) => detail).join('\n');
    };
    const { any, open } = decisionPages;
    for (const { chats } of [any, open])
      expect(await planOf(chats)).toMatch(/SEARCH p USING COVERING INDEX participants_account \(account_key=\?\)/);
    for (const [{ sql }, step] of [
      [any.chats, 'd USING COVERING INDEX decisions_in_chat (chat_key=? AND message_key<?)'],
      [open.chats, 'd USING COVERING INDEX decisions_open (chat_key=? AND message_key<?)'],
      [any.inChat, 'd USING INDEX decisions_in_chat (chat_key=? AND message_key<?)'],
      [open.inChat, 'o USING COVERING INDEX decisions_open (chat_key=? AND message_key<?)'],
      [openFor, 'o USING COVERING INDEX decisions_open (chat_key=?)'],
    ] as const) {
      const plan = await planOf({ sql });
      expect(plan).toContain(`SEARCH ${step}`);
      expect(plan).not.toMatch(/TEMP B-TREE|SCAN/);
    }
  },
);

const MANY = 20_000;

describeCluster('Many decisions on PostgreSQL', () => {
  test('DECIDE-10, DECIDE-13: a page of decisions, and the open ones of a conversation, are read by an index', async () => {
    await using world = await createWorld({ nodes: 1 });
    const { ben, chat, ask } = await scene(world);
    const first = await ask();
    await world.sql(
      `INSERT INTO messages (id, chat_key, channel_key, thread_key, sender_key, status, marks, created_at, record)
       SELECT decode(md5(CAST(g AS TEXT)), 'hex'), m.chat_key, 0, 0, m.sender_key, 'complete', m.marks, m.created_at, m.record
       FROM messages m JOIN decisions d ON d.message_key = m.key CROSS JOIN generate_series(1, ${MANY}) g`,
    );
    // Most are in other conversations: if all were in one, the primary key would be as good an index.
    await world.sql(
      `INSERT INTO decisions (message_key, chat_key, asker_key, kind, state, deciders, is_private, value)
       SELECT m.key, m.chat_key + m.key % 100, m.sender_key, 'question', 'decided', 'anyone', 0, d.value
       FROM decisions d JOIN messages m ON m.chat_key = d.chat_key AND m.key > d.message_key`,
    );
    const last = await ask();
    await world.sql('ANALYZE');
    const [keys] = await world.sql<{ account: number; chat: number; newest: number }>(
      `SELECT p.account_key AS account, p.chat_key AS chat, (SELECT max(key) + 1 FROM messages) AS newest
       FROM participants p JOIN accounts a ON a.key = p.account_key WHERE a.username = 'ben'`,
    );
    const { account = 0, chat: place = 0, newest = 0 } = keys ?? {};
    const planOf = async (sql: string, ...values: SqlValue[]) => {
      const plan = await world.sql<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, ...values);
      return plan.map((line) => line['QUERY PLAN']).join('\n');
    };
    const { any, open } = decisionPages;
    for (const [plan, index] of [
      [await planOf(any.chats.sql, account, newest), 'decisions_in_chat'],
      [await planOf(open.chats.sql, account, newest), 'decisions_open'],
      [await planOf(any.inChat.sql, account, place, 1, newest, '', 51), 'decisions_'],
      [await planOf(open.inChat.sql, account, place, 1, newest, 'open', 51), 'decisions_open'],
      [await planOf(openFor.sql, account, place), 'decisions_open'],
    ] as const) {
      expect(plan).toContain(index);
      expect(plan).not.toMatch(/Seq Scan on (decisions|messages)/);
    }
    const { items } = await ben.api.getDecisions({ state: 'open' });
    expect(items.map(({ id }) => id)).toEqual([last.message_id, first.message_id]);
    expect((await ben.api.getChat({ chat_id: chat.id })).open_decisions).toEqual([last.message_id, first.message_id]);
    expect((await ben.api.getDecisions({ limit: 1 })).items.map(({ id }) => id)).toEqual([last.message_id]);
  });
});
