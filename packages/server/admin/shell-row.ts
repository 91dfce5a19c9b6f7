import { type AuditDetails, writeAudit } from '../commits/audit.ts';
import { newIdBytes } from '../core/ids.ts';
import type { Sql } from '../store/sql.ts';
import { openDatabase } from './database.ts';
import { openPostgres } from './reach-postgres.ts';
import type { Site } from './reach.ts';

/** The name of a command, as it is typed, and what its row of the audit says besides. */
export interface ShellAct {
  command: string;
  details?: AuditDetails;
}

/** Adds the row of a command in the command's own transaction (AUDIT-2). */
export const shellRow = (tx: Sql, now: number, { command, details }: ShellAct): Promise<void> =>
  writeAudit({ tx, now, newId: () => newIdBytes(now) }, command, { isByShell: true, details });

/**
 * Adds the row of a command that changes no row itself, or many in several transactions. A service may run beside it: it
 * keeps nothing of the audit in memory.
 */
export async function noteCommand({ dataDir, databaseUrl, clock }: Site, act: ShellAct): Promise<void> {
  if (databaseUrl === null) {
    const connection = openDatabase(dataDir, { readOnly: false });
    try {
      await shellRow(connection, clock.now(), act);
    } finally {
      connection.close();
    }
    return;
  }
  const connection = await openPostgres(databaseUrl);
  try {
    await shellRow(connection, clock.now(), act);
  } finally {
    await connection.close();
  }
}
