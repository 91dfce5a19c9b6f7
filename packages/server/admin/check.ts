import { damageOf, openDatabase } from './database.ts';
import { counts, faults } from '../store/references.ts';

interface Findings {
  counts: [what: string, count: number][];
  /** The problems found; empty if there are none. */
  problems: string[];
}

/** Checks the database file and the references between its rows in one snapshot; the service may run (ADMIN-12). */
export function check(dataDir: string): Findings {
  const connection = openDatabase(dataDir, { readOnly: true });
  try {
    connection.exec('BEGIN');
    const count = (statement: (typeof counts)[keyof typeof counts]) => connection.get(statement)?.count ?? 0;
    const problems = damageOf(connection);
    for (const [what, statement] of Object.entries(faults)) {
      const found = count(statement);
      if (found > 0) problems.push(`${what}: ${found}`);
    }
    return { problems, counts: Object.entries(counts).map(([what, statement]) => [what, count(statement)]) };
  } finally {
    connection.close();
  }
}
