import { describe, test } from 'vitest';
import { HOW_POSTGRES, postgresIsHere } from '../servers/postgres.ts';
import { HOW_REDIS, redisIsHere } from '../servers/redis-server.ts';
import { nodesByDefault } from '../world/world-data.ts';

/** A test of behaviour that only the embedded engine has; the argument says why. */
export const embeddedTest = (_why: string): typeof test.skip => (nodesByDefault() > 0 ? test.skip : test);

/** The servers that a world of several nodes needs and that are missing, with how to install them. */
export const missingServers = (): string[] => [
  ...(postgresIsHere() ? [] : [HOW_POSTGRES]),
  ...(redisIsHere() ? [] : [HOW_REDIS]),
];

/** A suite of worlds with several nodes: skipped without the servers, except in CI, where it fails. */
export function describeCluster(name: string, suite: () => void): void {
  const missing = missingServers();
  const skip = missing.length > 0 && process.env['CI'] !== 'true';
  describe(`${name}${skip ? `: ${missing.join('; ')}` : ''}`, { skip }, () => {
    suite();
  });
}
