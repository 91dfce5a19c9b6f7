import { describe, test } from 'vitest';
import { HOW_POSTGRES, postgresIsHere } from './postgres.ts';
import { HOW_REDIS, redisIsHere } from './redis-server.ts';
import { nodesByDefault } from './world-data.ts';

/** A test of what only one process with its data in files has; which, says the reason. */
export const embeddedTest = (_why: string): typeof test.skip => (nodesByDefault() > 0 ? test.skip : test);

/** What a world of several nodes would need that is not here, and how to have it. */
export const missingServers = (): string[] => [
  ...(postgresIsHere() ? [] : [HOW_POSTGRES]),
  ...(redisIsHere() ? [] : [HOW_REDIS]),
];

/** A suite of worlds with several nodes: without the servers they need it is skipped, and fails in CI. */
export function describeCluster(name: string, suite: () => void): void {
  const missing = missingServers();
  const skip = missing.length > 0 && process.env['CI'] !== 'true';
  describe(`${name}${skip ? `: ${missing.join('; ')}` : ''}`, { skip }, () => {
    suite();
  });
}
