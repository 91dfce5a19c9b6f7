import { describe, test } from 'vitest';
import { needs } from '../programs/needs.ts';
import { nodesByDefault } from '../world/nodes-by-default.ts';

/** A test of behaviour that only the embedded engine has; the argument says why. */
export const embeddedTest = (_why: string): typeof test.skip => (nodesByDefault() > 0 ? test.skip : test);

/** A suite of worlds with several nodes. */
export function describeCluster(name: string, suite: () => void): void {
  describe(name, needs('postgres', 'redis'), () => {
    suite();
  });
}
