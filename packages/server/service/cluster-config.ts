import { ConfigError } from '../core/config-error.ts';

export interface ClusterConfig {
  /** Null for the embedded engine, in one process. */
  databaseUrl: string | null;
  /** Null together with `databaseUrl`. */
  redisUrl: string | null;
}

const SCHEMES = { DATABASE_URL: ['postgres', 'postgresql'], REDIS_URL: ['redis', 'rediss'] } as const;

/** Reads both addresses or neither. They may contain passwords, so errors do not quote them (CONFIG-7). */
export function readCluster(value: (name: string) => string | undefined): ClusterConfig {
  const databaseUrl = addressIn('DATABASE_URL', value);
  const redisUrl = addressIn('REDIS_URL', value);
  const [given, missing] = databaseUrl === null ? ['REDIS_URL', 'DATABASE_URL'] : ['DATABASE_URL', 'REDIS_URL'];
  if ((databaseUrl === null) !== (redisUrl === null))
    throw new ConfigError(`${given} is set without ${missing}; set both or neither`);
  if (databaseUrl !== null && value('SECRETS_KEY') === undefined)
    throw new ConfigError(
      'with DATABASE_URL, SECRETS_KEY must be set to the same value on every node: it seals and signs for all',
    );
  return { databaseUrl, redisUrl };
}

/** The address in a variable; null if it is not set. */
export function addressIn(name: keyof typeof SCHEMES, value: (name: string) => string | undefined): string | null {
  const given = value(name);
  if (given === undefined) return null;
  const schemes: readonly string[] = SCHEMES[name];
  if (!URL.canParse(given) || !schemes.includes(new URL(given).protocol.slice(0, -1)))
    throw new ConfigError(
      `${name} must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
    );
  return given;
}
