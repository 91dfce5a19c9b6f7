import { onPostgres } from './postgres-log.ts';
import type { PostgresConnection } from './postgres.ts';

/** Minimum changed rows of a table before it is analyzed: fewer rows are read quickly with any plan. */
const FEW = 200;

const grown = onPostgres<{ name: string }, [few: number]>(
  `SELECT CAST(relname AS TEXT) AS name FROM pg_stat_user_tables
   WHERE schemaname = current_schema() AND n_mod_since_analyze > $1 AND 2 * n_mod_since_analyze > n_live_tup
   ORDER BY relname`,
);

/**
 * Analyzes the tables of which half the rows have changed, and returns their names. ANALYZE also drops the plans of
 * prepared statements: a plan made for an empty table may read all of a full one. PostgreSQL's own autovacuum runs only
 * once a minute, too late for a new installation under load. Called every few seconds; tables that another node is
 * analyzing are skipped.
 */
export async function analyzeGrown(connection: PostgresConnection): Promise<string[]> {
  const names = (await connection.all(grown, FEW)).map(({ name }) => name);
  if (names.length > 0) await connection.exec(`ANALYZE (SKIP_LOCKED) ${names.map((name) => `"${name}"`).join(', ')}`);
  return names;
}
