import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresConnection } from '@parley/server/store/engines/postgres.ts';
import { SqliteConnection } from '@parley/server/store/engines/sqlite.ts';
import { migrateSqlite, migrations, sqliteDialect } from '@parley/server/store/migrate.ts';
import type { Sql } from '@parley/server/store/sql.ts';
import { fastFolder } from '../servers/fast-folder.ts';
import type { TestDatabase } from '../servers/postgres-databases.ts';
import { SlowLink } from './slow-link.ts';

/** SLOW_LINKS=50 runs tests of several nodes with occasional delays of up to 50 ms each way to PostgreSQL and Redis. */
const SLOW_LINKS_MS = Number(process.env['SLOW_LINKS'] ?? 0);

/** Where the services of a world keep their data: the files of one, or a database shared by several. */
export interface WorldData {
  /** The folder of each service. */
  readonly folders: readonly string[];
  /** Environment variables that configure each service for this data. */
  readonly env: Readonly<Record<string, string>>;
  /** Reads and writes rows directly, without the services. */
  use<Value>(work: (sql: Sql) => Promise<Value>): Promise<Value>;
  /** Freezes the stored data, whatever the running services still do. */
  cutOff(): Promise<void>;
  /** Called after the old services have ended: makes the data available to new services. */
  goOn(): Promise<void>;
  remove(): Promise<void>;
}

/** SQLite and files in one folder. */
export class EmbeddedData implements WorldData {
  readonly env = {};
  #folder = folderWithDatabase();
  readonly #former: string[] = [];

  get folders(): string[] {
    return [this.#folder];
  }

  async use<Value>(work: (sql: Sql) => Promise<Value>): Promise<Value> {
    const connection = new SqliteConnection(join(this.#folder, 'parley.db'));
    try {
      return await work(connection);
    } finally {
      connection.close();
    }
  }

  /** Copies the data for the next service. */
  async cutOff(): Promise<void> {
    const copy = newFolder(fastFolder());
    for (const name of ['parley.db', 'parley.db-wal', 'secrets.key', 'typing.log', 'typing-before.log'])
      if (existsSync(join(this.#folder, name))) copyFileSync(join(this.#folder, name), join(copy, name));
    cpSync(join(this.#folder, 'files'), join(copy, 'files'), { recursive: true });
    this.#former.push(this.#folder);
    this.#folder = copy;
  }

  async goOn(): Promise<void> {}

  async remove(): Promise<void> {
    for (const folder of [...this.#former, this.#folder]) rmSync(folder, { recursive: true, force: true });
  }
}

/** A PostgreSQL database for several nodes, which communicate through Redis. */
export class SharedData implements WorldData {
  readonly folders: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly #database: TestDatabase;
  readonly #links: readonly SlowLink[];

  private constructor(nodes: number, { database, databaseUrl, redisUrl, links }: Shared) {
    this.folders = Array.from({ length: nodes }, newFolder);
    this.env = {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      SECRETS_KEY: `1:${randomBytes(32).toString('base64')}`,
    };
    this.#database = database;
    this.#links = links;
  }

  static async create(nodes: number): Promise<SharedData> {
    // Imported only here, because these modules need a test run; a world of one service is also used without one.
    const [{ postgresForTests }, { redisForTests }] = await Promise.all([
      import('../servers/postgres.ts'),
      import('../servers/redis.ts'),
    ]);
    const [databases, redisUrl] = await Promise.all([postgresForTests(), redisForTests()]);
    const database = await databases.createDatabase();
    if (SLOW_LINKS_MS === 0) return new SharedData(nodes, { database, databaseUrl: database.url, redisUrl, links: [] });
    const [one, other] = await Promise.all([
      SlowLink.to(database.url, SLOW_LINKS_MS),
      SlowLink.to(redisUrl, SLOW_LINKS_MS),
    ]);
    const links = [one.link, other.link];
    return new SharedData(nodes, { database, databaseUrl: one.address, redisUrl: other.address, links });
  }

  async use<Value>(work: (sql: Sql) => Promise<Value>): Promise<Value> {
    const connection = await PostgresConnection.open({ url: this.#database.url, name: 'a test' });
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  }

  /** Makes the database unreachable. */
  cutOff(): Promise<void> {
    return this.#database.shut();
  }

  async goOn(): Promise<void> {
    await this.#database.open();
    // Makes the old nodes count as silent for a long time.
    await this.use(async (sql) => sql.run({ sql: `UPDATE nodes SET seen_at = seen_at - INTERVAL '1 hour'` }));
  }

  async remove(): Promise<void> {
    for (const link of this.#links) await link[Symbol.asyncDispose]();
    await this.#database.drop();
    for (const folder of this.folders) rmSync(folder, { recursive: true, force: true });
  }
}

interface Shared {
  database: TestDatabase;
  databaseUrl: string;
  redisUrl: string;
  links: readonly SlowLink[];
}

const newFolder = (parent = tmpdir()): string => mkdtempSync(join(parent, 'parley-world-'));

/** A data folder whose database has all migrations: copied from a template, which is faster than running them. */
function folderWithDatabase(): string {
  const folder = newFolder(fastFolder());
  copyFileSync(migratedDatabase(), join(folder, 'parley.db'));
  return folder;
}

let migrated: string | undefined;

/** A database file with all migrations. It is made once and kept, for every process whose migrations are the same. */
function migratedDatabase(): string {
  if (migrated !== undefined) return migrated;
  const texts = migrations(sqliteDialect).map(({ number, sql }) => `${number} ${sql}`);
  const hash = createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 24);
  const file = join(tmpdir(), `parley-template-${hash}.db`);
  if (!existsSync(file)) {
    // Several processes may make it at once: each renames a complete file.
    const folder = newFolder();
    const made = join(folder, 'parley.db');
    const connection = new SqliteConnection(made);
    migrateSqlite(connection);
    connection.close();
    renameSync(made, file);
    rmSync(folder, { recursive: true });
  }
  return (migrated = file);
}
