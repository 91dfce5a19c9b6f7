import { hasMigrations, lastMigration, sequenceOf } from '../../store/engines/postgres-schema.ts';
import { liveNode } from '../../store/engines/postgres-nodes.ts';
import { setLogHead, logHead } from '../../store/engines/postgres-log.ts';
import { PostgresStorage } from '../../files/engines/postgres-files.ts';
import { PostgresConnection } from '../../store/engines/postgres.ts';
import { lastTrimmed, setMeta } from '../../store/log.ts';
import { migratePostgres, migrations, postgresDialect } from '../../store/migrate.ts';
import { raiseSequence } from '../../store/whole-tables.ts';
import { Failure } from '../failure.ts';
import type { Source, Target } from './sides.ts';
import { tablesToMove } from './move-tables.ts';

const NAME = 'parley admin';

/** Reads from one snapshot. */
export async function postgresSource(url: string): Promise<Source> {
  const sql = await PostgresConnection.open({ url, name: NAME });
  const parts = new AsyncDisposableStack();
  parts.defer(() => sql.close());
  try {
    await assertCurrent(sql);
    await sql.exec('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const head = (await sql.get(logHead))?.seq ?? 0;
    const isLive = (await sql.get(liveNode)) !== undefined;
    const files = await PostgresStorage.open({ url });
    parts.defer(() => files.close());
    return {
      name: nameOf(url),
      sql,
      storage: files.storage,
      isLive,
      head,
      [Symbol.asyncDispose]: () => parts.disposeAsync(),
    };
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

/** Fills a database in one transaction. The bytes of files are stored before it, in several transactions. */
export async function postgresTarget(url: string): Promise<Target> {
  const sql = await PostgresConnection.open({ url, name: NAME });
  const parts = new AsyncDisposableStack();
  // Closing the connection rolls back what is not committed.
  parts.defer(() => sql.close());
  try {
    await migratePostgres(sql);
    const files = await PostgresStorage.open({ url });
    parts.defer(() => files.close());
    await sql.exec('BEGIN');
    return {
      name: nameOf(url),
      sql,
      storage: files.storage,
      async goOnAbove(head) {
        await sql.run(setLogHead, head);
        await sql.run(setMeta, 'events_kept_from', String(((await sql.get(lastTrimmed))?.last ?? 0) + 1));
        for (const { name } of tablesToMove()) await raiseKeys(sql, name);
      },
      commit: () => sql.exec('COMMIT'),
      [Symbol.asyncDispose]: () => parts.disposeAsync(),
    };
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

/** Makes the database assign keys above the imported ones. */
async function raiseKeys(sql: PostgresConnection, table: string): Promise<void> {
  const sequence = (await sql.get(sequenceOf, table))?.name;
  if (typeof sequence !== 'string') return;
  await sql.all(raiseSequence(table), sequence);
}

async function assertCurrent(sql: PostgresConnection): Promise<void> {
  if (!(await sql.get(hasMigrations))?.is_ours) throw new Failure('this is not a database of Parley');
  const version = (await sql.get(lastMigration))?.version ?? 0;
  const current = migrations(postgresDialect).at(-1)?.number ?? 0;
  if (version > current)
    throw new Failure(`the database is of version ${version}, but this program supports only ${current}`);
  if (version < current) throw new Failure('the database is of an older version: start a node once to update it');
}

/** The address without the password. */
function nameOf(url: string): string {
  const { hostname, pathname } = new URL(url);
  return `PostgreSQL at ${hostname}${pathname}`;
}
