import { beforeEach } from 'vitest';
import { missingServers } from '../contracts/tested-engine.ts';

// Runs before each file of the project `cluster`: without the servers its tests are skipped, or fail in CI.
const missing = missingServers();
if (missing.length > 0 && process.env['CI'] !== 'true')
  beforeEach(({ skip }) => skip(`several nodes need servers: ${missing.join('; ')}`));
