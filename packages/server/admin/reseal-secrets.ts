import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../config.ts';
import { resealAll, type Resealed } from '../secrets/reseal.ts';
import { KeyRing } from '../secrets/seal.ts';
import { openDatabase } from './database.ts';
import { Failure } from './failure.ts';

/** Seals all secrets under the first key of the configuration; the service may run with the same keys (ADMIN-11). */
export async function resealSecrets(
  dataDir: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Resealed> {
  // A service that starts would make a key; nothing could be opened with it.
  if (!env['SECRETS_KEY'] && !existsSync(join(dataDir, 'secrets.key')))
    throw new Failure(`there is neither SECRETS_KEY nor a secrets.key in ${dataDir}`);
  const connection = openDatabase(dataDir, { readOnly: false });
  try {
    return await resealAll(connection, new KeyRing(readConfig({ ...env, DATA_DIR: dataDir }).secretKeys));
  } finally {
    connection.close();
  }
}
