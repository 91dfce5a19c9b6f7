import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSecretKeys } from '../../service/config.ts';
import { Failure } from '../failure.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Fingerprints that identify keys without revealing them: 32 random bytes cannot be found from their hash. */
export function fingerprints(env: Environment, dataDir: string): string[] {
  const file = join(dataDir, 'secrets.key');
  if (env['DATABASE_URL'] && !env['SECRETS_KEY'])
    throw new Failure('with DATABASE_URL, SECRETS_KEY must be set to the key of the nodes');
  const text = env['SECRETS_KEY'] || (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined);
  return (parseSecretKeys(text) ?? []).map(
    ({ id, bytes }) => `${id}:${createHash('sha256').update('parley key').update(bytes).digest('hex').slice(0, 32)}`,
  );
}
