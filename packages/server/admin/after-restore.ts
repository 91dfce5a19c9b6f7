import { removeIndexFile, searchFile } from '../search/engines/index-file.ts';
import { connectedNode, forgetNodes, leapNodeKeys, lockNodes } from '../store/engines/postgres-nodes.ts';
import { forgetAllIntents, logHead, setLogHead } from '../store/engines/postgres-log.ts';
import { hasMigrations, lastMigration } from '../store/engines/postgres-schema.ts';
import type { PostgresConnection } from '../store/engines/postgres.ts';
import { migratePostgres, migrations, migrateSqlite, postgresDialect } from '../store/migrate.ts';
import { SqliteConnection } from '../store/engines/sqlite.ts';
import { compareVersion, existingDatabase } from './database.ts';
import { Failure } from './failure.ts';
import { lockUnserved, type Site } from './reach.ts';
import { openPostgres } from './reach-postgres.ts';
import { shellRow } from './shell-row.ts';
import { leapAbove, reservedOf, startAnew, startEmbeddedAnew } from './start-anew.ts';

/**
 * Makes every client reload from a database that was put back to an earlier moment by other means than `restore`: it
 * has forgotten numbers that clients have seen (ADMIN-21). No service may be running. Returns the new log number.
 */
export async function afterRestore({ dataDir, databaseUrl, clock }: Site): Promise<number> {
  if (databaseUrl === null) return embedded(dataDir, clock.now());
  const connection = await openPostgres(databaseUrl);
  try {
    return await onServer(connection, clock.now());
  } finally {
    // Closing the connection rolls back what is not committed.
    await connection.close();
  }
}

async function embedded(dataDir: string, now: number): Promise<number> {
  const file = existingDatabase(dataDir);
  const lock = lockUnserved(dataDir);
  try {
    const connection = new SqliteConnection(file);
    try {
      compareVersion(connection);
      migrateSqlite(connection);
      connection.exec('BEGIN IMMEDIATE');
      const head = leapAbove(await reservedOf(connection));
      await startEmbeddedAnew(connection, head);
      await shellRow(connection, now, { command: 'after-restore' });
      connection.exec('COMMIT');
      // The index may be of another moment; the service builds a new one.
      removeIndexFile(searchFile(dataDir));
      return head;
    } finally {
      connection.close();
    }
  } finally {
    lock.release();
  }
}

async function onServer(connection: PostgresConnection, now: number): Promise<number> {
  if (!(await connection.get(hasMigrations))?.is_ours) throw new Failure('this is not a database of Parley');
  const version = (await connection.get(lastMigration))?.version ?? 0;
  const current = migrations(postgresDialect).at(-1)?.number ?? 0;
  if (version > current)
    throw new Failure(`the database is of version ${version}, but this program supports only ${current}`);
  await assertNoNode(connection);
  await migratePostgres(connection);
  await connection.exec('BEGIN');
  // A node that starts meanwhile waits, and then reads the new number.
  await connection.exec(lockNodes);
  await assertNoNode(connection);
  // Nodes of the time of the copy are given up: one that still runs somewhere can commit nothing (CLUSTER-33).
  await connection.run(forgetNodes);
  await connection.get(leapNodeKeys);
  const head = leapAbove((await connection.get(logHead))?.seq ?? 0);
  await startAnew(connection, head);
  await connection.run(forgetAllIntents);
  await connection.run(setLogHead, head);
  await shellRow(connection, now, { command: 'after-restore' });
  await connection.exec('COMMIT');
  return head;
}

async function assertNoNode(connection: PostgresConnection): Promise<void> {
  if (await connection.get(connectedNode))
    throw new Failure('a node is connected to this database: stop all nodes first');
}
