import { describe } from 'vitest';
import { findPostgres, HOW_POSTGRES } from './postgres-binaries.ts';
import { databasesOf, type PostgresDatabases } from './postgres-databases.ts';
import { startPostgres } from './postgres-server.ts';
import { sharedServer } from './shared-servers.ts';

export { HOW_POSTGRES } from './postgres-binaries.ts';
export type { PostgresDatabases, TestDatabase } from './postgres-databases.ts';
export { type PostgresOptions, type PostgresServer, startPostgres } from './postgres-server.ts';

export const postgresIsHere = (): boolean => findPostgres() !== undefined;

/** A suite that needs PostgreSQL: skipped without it, except in CI, where it fails. */
export function describeWithPostgres(name: string, suite: () => void): void {
  const skip = !postgresIsHere() && process.env['CI'] !== 'true';
  describe(`${name}${skip ? `: ${HOW_POSTGRES}` : ''}`, { skip }, () => {
    suite();
  });
}

let own: Promise<PostgresDatabases> | undefined;

/** The server shared by all tests: it is not durable, and tests must not kill it. */
export async function postgresForTests(): Promise<PostgresDatabases> {
  const url = await sharedServer('postgres');
  if (url !== undefined) return databasesOf(url.replace(/\/$/, ''));
  return (own ??= startPostgres());
}
