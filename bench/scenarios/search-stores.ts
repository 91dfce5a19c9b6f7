import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PostgresConnection } from '@parley/server/store/engines/postgres.ts';
import type { Bench } from '../bench.ts';
import type { RunningService } from '../service/running-service.ts';

/** A search without an index. */
export interface Naive {
  reader: string;
  like: string;
  chatId: string | null;
  sender: string | null;
  holdsFile: boolean;
  /** Only messages before this position. */
  before: number | null;
}

/** A service whose messages are searched, with direct access to its store. */
export interface SearchStore {
  service: RunningService;
  /** True once the index covers all messages except the few newest ones, which are searched one by one. */
  isIndexed(): Promise<boolean>;
  /** Milliseconds that the store takes to scan the reader's messages, newest first. */
  naiveMs(naive: Naive): Promise<number>;
}

const naiveSql = (parameter: string) =>
  `SELECT m.key, m.record FROM messages m
   JOIN participants p ON p.chat_key = m.chat_key JOIN accounts r ON r.key = p.account_key AND r.username = ${parameter}1
   WHERE m.record LIKE ${parameter}2 AND m.deleted_at IS NULL
     AND (CAST(${parameter}3 AS TEXT) IS NULL OR m.record LIKE CAST(${parameter}3 AS TEXT))
     AND (CAST(${parameter}4 AS TEXT) IS NULL
       OR m.sender_key = (SELECT key FROM accounts WHERE username = CAST(${parameter}4 AS TEXT)))
     AND (CAST(${parameter}5 AS TEXT) IS NULL OR m.record LIKE CAST(${parameter}5 AS TEXT))
     AND (CAST(${parameter}6 AS BIGINT) IS NULL OR m.key < CAST(${parameter}6 AS BIGINT))
   ORDER BY m.key DESC LIMIT 20`;
const valuesOf = ({ reader, like, chatId, sender, holdsFile, before }: Naive) =>
  [
    reader,
    `%${like}%`,
    chatId === null ? null : `%${chatId}%`,
    sender,
    holdsFile ? '%"attachments":[{%' : null,
    before,
  ] as const;

/** Minimum number of new messages for which the index runs. */
const TAIL = 256;

interface Extent {
  from: number;
  through: number;
}

/** SQLite, with the index in a file beside it. */
export async function embeddedStore(bench: Bench): Promise<SearchStore> {
  const dataDir = await bench.dataDir();
  const service = await bench.serviceOn(dataDir);
  const read = <Value>(file: string, work: (database: DatabaseSync) => Value): Value => {
    const database = new DatabaseSync(join(dataDir, file), { readOnly: true });
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  const extent = (): Extent | undefined => {
    try {
      const text = read('search.db', (index) => index.prepare("SELECT value FROM state WHERE name = 'extent'").get());
      return text && (JSON.parse(String(text['value'])) as Extent); // written by the index
    } catch {
      return undefined;
    }
  };
  return {
    service,
    async isIndexed() {
      const newest = Number(
        read('parley.db', (db) => db.prepare('SELECT max(key) AS key FROM messages').get())?.['key'],
      );
      const { from, through } = extent() ?? { from: Infinity, through: 0 };
      return from <= 1 && through > newest - TAIL;
    },
    async naiveMs(naive) {
      return read('parley.db', (database) => {
        const startMs = performance.now();
        database.prepare(naiveSql('?')).all(...valuesOf(naive));
        return performance.now() - startMs;
      });
    },
  };
}

/** One node on PostgreSQL, with the index in the same database. */
export async function clusterStore(bench: Bench): Promise<SearchStore> {
  const cluster = await bench.cluster();
  const service = await cluster.node();
  const read = async <Value>(work: (connection: PostgresConnection) => Promise<Value>): Promise<Value> => {
    // Resets session settings, so that PostgreSQL plans as for any client.
    const settings = 'RESET ALL;';
    const connection = await PostgresConnection.open({ url: cluster.databaseUrl, name: 'a benchmark', settings });
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  };
  const isIndexed = `SELECT from_key <= 1 AND through_key > (SELECT max(key) FROM messages) - ${TAIL} AS whole FROM search_extent`;
  return {
    service,
    isIndexed: () => read(async (db) => Boolean((await db.get<{ whole: boolean }, []>({ sql: isIndexed }))?.whole)),
    naiveMs: (naive) =>
      read(async (db) => {
        const startMs = performance.now();
        await db.all({ sql: naiveSql('$') }, ...valuesOf(naive));
        return performance.now() - startMs;
      }),
  };
}
