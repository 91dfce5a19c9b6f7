import { openEmbedded } from './embedded-engine.ts';
import { assertNoNode, markNode } from '../../store/engines/data-dir-kind.ts';
import type { Engine, EngineOptions } from './engine.ts';

/** Opens the engine that the configuration selects: one process with its files, or a node of several. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { databaseUrl: database, redisUrl: redis, dataDir } = options.config;
  if (database === null || redis === null) {
    assertNoNode(dataDir);
    return openEmbedded(options);
  }
  markNode(dataDir);
  // Loaded only here: the clients of Redis and PostgreSQL are a third of all modules, and one process needs neither.
  const { openCluster } = await import('./cluster-engine.ts');
  return openCluster(options, { database, redis });
}
