import { onPostgres } from './postgres-log.ts';
import type { PostgresConnection } from './postgres.ts';

/** Fewer changed rows than these are read quickly in any plan. */
const FEW = 200;

const grown = onPostgres<{ name: string }, [few: number]>(
  `SELECT CAST(relname AS TEXT) AS name FROM pg_stat_user_tables
   WHERE schemaname = current_schema() AND n_mod_since_analyze > $1 AND 2 * n_mod_since_analyze > n_live_tup
   ORDER BY relname`,
);

/**
 * Has PostgreSQL look at tables that have grown by half, which also drops the plans made before; answers which. A plan
 * of a prepared statement is kept, and one made for empty tables may read all of a full one: PostgreSQL's own daemon
 * comes by once a minute only, when a new installation under load has long been slow. To be called every few seconds;
 * what another node looks at now is left out.
 */
export async function analyzeGrown(connection: PostgresConnection): Promise<string[]> {
  const names = (await connection.all(grown, FEW)).map(({ name }) => name);
  if (names.length > 0) await connection.exec(`ANALYZE (SKIP_LOCKED) ${names.map((name) => `"${name}"`).join(', ')}`);
  return names;
}
