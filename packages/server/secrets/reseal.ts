import type { SqliteConnection } from '../store/engines/sqlite.ts';
import { type SecretLayer, secretsOf, type StoredSecret } from '../store/secrets.ts';
import type { Sql } from '../store/sql.ts';
import { type KeyRing, secretBinding } from './seal.ts';

export interface Resealed {
  /** Values that an older key had sealed. */
  resealed: number;
  /** Values that the first key had sealed already. */
  already: number;
  /** Values that no key opens: they stay as they are. */
  failed: number;
}

/** Values of one transaction: between two of them a service that runs beside can write. */
const BATCH = 200;

/**
 * Seals every secret again under the first key, after which the older keys may go (BOTCONF-16). May be repeated, and
 * may run beside the service, whose own writes win. Each batch is a transaction.
 */
export async function resealAll(connection: SqliteConnection, keys: KeyRing): Promise<Resealed> {
  const counts: Resealed = { resealed: 0, already: 0, failed: 0 };
  for (const layer of ['owner', 'override'] as const) {
    let last: StoredSecret | undefined = { agent_key: 0, account_key: 0, field: '', sealed: '' };
    while (last) {
      const after: StoredSecret = last;
      last = await inTransaction(connection, () => resealBatch(connection, keys, layer, after, counts));
    }
  }
  return counts;
}

/** Answers the last value of the batch, or undefined when none is left behind it. */
async function resealBatch(
  tx: Sql,
  keys: KeyRing,
  layer: SecretLayer,
  after: StoredSecret,
  counts: Resealed,
): Promise<StoredSecret | undefined> {
  const statements = secretsOf[layer];
  const rows = await tx.all(statements.after, after.agent_key, after.account_key, after.field, BATCH);
  for (const row of rows) {
    const { agent_key, account_key, field, sealed } = row;
    const binding = secretBinding(agent_key, account_key, field, layer);
    const secret = opened(keys, sealed, binding);
    if (secret === undefined) counts.failed += 1;
    else if (keys.isCurrent(sealed)) counts.already += 1;
    // No row is changed if a new value has come meanwhile: that is sealed under the service's first key.
    else
      counts.resealed += await tx.run(
        statements.reseal,
        agent_key,
        account_key,
        field,
        sealed,
        keys.seal(secret, binding),
      );
  }
  return rows.length < BATCH ? undefined : rows.at(-1);
}

/** What cannot be opened is counted, and told by the caller. */
function opened(keys: KeyRing, sealed: string, binding: string): string | undefined {
  try {
    return keys.open(sealed, binding);
  } catch {
    return undefined;
  }
}

async function inTransaction<Value>(connection: SqliteConnection, work: () => Promise<Value>): Promise<Value> {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const value = await work();
    connection.exec('COMMIT');
    return value;
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}
