import { createHash, randomUUID } from 'node:crypto';
import { PostgresConnection } from '@parley/server/store/engines/postgres.ts';
import { sqlState } from '@parley/server/store/engines/postgres-errors.ts';
import { migratePostgres, migrations, postgresDialect } from '@parley/server/store/migrate.ts';

export interface TestDatabase {
  name: string;
  url: string;
  /** Disconnects all clients and refuses new ones until it is opened again. */
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Drops the database and disconnects its clients. */
  drop(): Promise<void>;
}

export interface PostgresDatabases {
  url(database: string): string;
  /** A new database with all migrations, an empty one, or a copy of one that has no client. */
  createDatabase(options?: { isEmpty?: boolean; copyOf?: TestDatabase }): Promise<TestDatabase>;
}

/** Held while the template is created, so that only one of many processes creates it. */
const TEMPLATE_LOCK = 7_370_001;

/** Databases on the server at this address, for any process. */
export function databasesOf(server: string): PostgresDatabases {
  const url = (database: string): string => `${server}/${database}`;
  const onServer = async <Value>(work: (connection: PostgresConnection) => Promise<Value>): Promise<Value> => {
    const connection = await PostgresConnection.open({ url: url('postgres') });
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  };

  return {
    url,
    createDatabase: ({ isEmpty = false, copyOf } = {}) =>
      onServer(async (connection) => {
        const name = `test_${randomUUID().replaceAll('-', '')}`;
        const template = isEmpty ? EMPTY : (copyOf?.name ?? (await templateOf(connection, url)));
        await connection.exec(`CREATE DATABASE ${name} TEMPLATE ${template}`);
        const admit = (isOpen: boolean) => `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isOpen}`;
        const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
        return {
          name,
          url: url(name),
          shut: () => onServer((another) => another.exec(`${admit(false)}; ${cut}`)),
          open: () => onServer((another) => another.exec(admit(true))),
          drop: () => onServer((another) => another.exec(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
        };
      }),
  };
}

const EMPTY = 'template0';
/** A collation other than the migrations expect: text comparisons must not depend on the database's. */
const ICU = "LOCALE_PROVIDER icu ICU_LOCALE 'en-US'";
const NOT_SUPPORTED = '0A000';

async function templateOf(connection: PostgresConnection, url: (database: string) => string): Promise<string> {
  const texts = migrations(postgresDialect).map(({ sql }) => sql);
  const name = `template_${createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 24)}`;
  const isThere = (): Promise<unknown> => connection.get({ sql: 'SELECT 1 FROM pg_database WHERE datname = $1' }, name);
  if (await isThere()) return name;
  await connection.exec(`SELECT pg_advisory_lock(${TEMPLATE_LOCK})`);
  try {
    if (await isThere()) return name;
    const unfinished = `${name}_${randomUUID().slice(0, 8)}`;
    const create = `CREATE DATABASE ${unfinished} TEMPLATE ${EMPTY}`;
    await connection.exec(`${create} ${ICU}`).catch((error: unknown) => {
      if (sqlState(error) !== NOT_SUPPORTED) throw error; // A server built without ICU.
      return connection.exec(create);
    });
    const inside = await PostgresConnection.open({ url: url(unfinished) });
    try {
      await migratePostgres(inside);
      // As in a running installation: the jump of the log's numbers at the first write has already happened.
      await inside.exec('INSERT INTO log_unbroken (id) VALUES (1)');
    } finally {
      await inside.close();
    }
    await connection.exec(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
    return name;
  } finally {
    await connection.exec(`SELECT pg_advisory_unlock(${TEMPLATE_LOCK})`);
  }
}
