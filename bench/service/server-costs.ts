import { once } from 'node:events';
import { connect } from 'node:net';
import { PostgresConnection } from '@parley/server/store/engines/postgres.ts';
import type { Statement } from '@parley/server/store/sql.ts';

/** Work that the servers have done so far. */
export interface Costs {
  walBytes: number;
  rows: number;
  redisCommands: number;
  redisBytes: number;
}

export const costNames = ['walBytes', 'rows', 'redisCommands', 'redisBytes'] as const satisfies (keyof Costs)[];

const written: Statement<{ bytes: number }> = {
  sql: "SELECT CAST(pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS BIGINT) AS bytes",
};
const stored: Statement<{ bytes: number }> = { sql: 'SELECT pg_database_size(current_database()) AS bytes' };
const tables: Statement<{ tablename: string }> = {
  sql: "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
};

/** Reads the servers' own counters. */
export class CostReader {
  readonly #redisUrl: URL;
  readonly #postgres: PostgresConnection;
  readonly #rows: Statement<{ count: number }>;

  private constructor(redisUrl: string, postgres: PostgresConnection, count: string) {
    this.#redisUrl = new URL(redisUrl);
    this.#postgres = postgres;
    this.#rows = { sql: count };
  }

  static async open(urls: { databaseUrl: string; redisUrl: string }): Promise<CostReader> {
    const postgres = await PostgresConnection.open({ url: urls.databaseUrl, name: 'parley bench', readOnly: true });
    const names = (await postgres.all(tables)).map(({ tablename }) => tablename);
    const counts = names.map((name) => `(SELECT count(*) FROM "${name}")`);
    return new CostReader(urls.redisUrl, postgres, `SELECT ${counts.join(' + ')} AS count`);
  }

  async read(): Promise<Costs> {
    const rows = (await this.#postgres.get(this.#rows))?.count ?? 0;
    const walBytes = (await this.#postgres.get(written))?.bytes ?? 0;
    const info = await this.#info();
    const counter = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1]);
    return {
      rows,
      walBytes,
      redisCommands: counter('total_commands_processed'),
      redisBytes: counter('total_net_input_bytes') + counter('total_net_output_bytes'),
    };
  }

  /** Bytes of the database on disk. */
  async databaseBytes(): Promise<number> {
    return (await this.#postgres.get(stored))?.bytes ?? 0;
  }

  close(): Promise<void> {
    return this.#postgres.close();
  }

  /** Uses its own connection: Redis counts the request only after answering it. */
  async #info(): Promise<string> {
    const socket = connect({ host: this.#redisUrl.hostname, port: Number(this.#redisUrl.port) });
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => void (text += part));
    socket.write('INFO stats\r\nQUIT\r\n');
    await once(socket, 'close');
    return text;
  }
}
