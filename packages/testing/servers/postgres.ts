import { describe } from 'vitest';
import { needs } from '../programs/needs.ts';
import { use } from '../programs/programs.ts';
import { databasesOf, type PostgresDatabases } from './postgres-databases.ts';
import { startPostgres } from './postgres-server.ts';
import { sharedServer } from './shared-servers.ts';

export type { PostgresDatabases, TestDatabase } from './postgres-databases.ts';
export { type PostgresOptions, type PostgresServer, startPostgres } from './postgres-server.ts';

/** A suite that needs PostgreSQL. */
export function describeWithPostgres(name: string, suite: () => void): void {
  describe(name, needs('postgres'), () => {
    suite();
  });
}

let own: Promise<PostgresDatabases> | undefined;

/** The server shared by all tests: it is not durable, and tests must not kill it. */
export async function postgresForTests(): Promise<PostgresDatabases> {
  use('postgres');
  const url = await sharedServer('postgres');
  if (url !== undefined) return databasesOf(url.replace(/\/$/, ''));
  return (own ??= startPostgres());
}
