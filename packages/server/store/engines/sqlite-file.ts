// Statements about a SQLite file: its version, its tables, its integrity.
import { statement } from '../sql.ts';

export const fileVersion = statement<{ user_version: number }>('PRAGMA user_version');
export const metaTable = statement<{ name: string }>(
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'meta'",
);
export const integrityCheck = statement<{ integrity_check: string }>('PRAGMA integrity_check(20)');

export const tableNames = statement<{ name: string }>(
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
);
export const columnsOf = statement<{ name: string; type: string; pk: number }, [table: string]>(
  'SELECT name, type, pk FROM pragma_table_info($1) ORDER BY cid',
);
