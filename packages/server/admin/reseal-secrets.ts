import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../service/config.ts';
import { inTransaction, resealAll, type Resealed } from '../secrets/reseal.ts';
import { KeyRing } from '../secrets/seal.ts';
import { openDatabase } from './database.ts';
import { Failure } from './failure.ts';
import type { Site } from './reach.ts';
import { openPostgres } from './reach-postgres.ts';
import { noteCommand } from './shell-row.ts';

/** Seals all secrets under the first configured key; a service with the same keys may run (ADMIN-11). */
export async function resealSecrets(site: Site, env: Readonly<Record<string, string | undefined>>): Promise<Resealed> {
  const { dataDir, databaseUrl } = site;
  // Without this check, reading the configuration would create a new key, which cannot open any stored secret.
  if (!env['SECRETS_KEY'] && !existsSync(join(dataDir, 'secrets.key')))
    throw new Failure(`there is neither SECRETS_KEY nor a secrets.key in ${dataDir}`);
  const keys = new KeyRing(readConfig({ ...env, DATA_DIR: dataDir }).secretKeys);
  await noteCommand(site, { command: 'reseal' });
  if (databaseUrl === null) {
    const connection = openDatabase(dataDir, { readOnly: false });
    try {
      return await resealAll(connection, keys, (work) => inTransaction(connection, work));
    } finally {
      connection.close();
    }
  }
  const connection = await openPostgres(databaseUrl);
  try {
    // Each statement replaces one value, unless the value has changed since it was read.
    return await resealAll(connection, keys, (work) => work());
  } finally {
    await connection.close();
  }
}
