// Statements about the schema of a PostgreSQL database: its migrations, its sequences.
import { onPostgres } from './postgres-log.ts';

export const hasMigrations = onPostgres<{ is_ours: number }>("SELECT to_regclass('migrations') IS NOT NULL AS is_ours");
export const lastMigration = onPostgres<{ version: number | null }>('SELECT max(number) AS version FROM migrations');
export const sequenceOf = onPostgres<{ name: string | null }, [table: string]>(
  `SELECT CASE WHEN EXISTS (SELECT FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 AND column_name = 'key' AND is_identity = 'YES')
   THEN pg_get_serial_sequence($1, 'key') END AS name`,
);
