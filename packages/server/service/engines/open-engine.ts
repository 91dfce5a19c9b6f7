import { openCluster } from './cluster-engine.ts';
import { openEmbedded } from './embedded-engine.ts';
import { assertNoNode, markNode } from '../../store/engines/data-dir-kind.ts';
import type { Engine, EnginePorts } from './engine.ts';

/** Opens the engine that the configuration selects: one process with its files, or a node of several. */
export async function openEngine(ports: EnginePorts): Promise<Engine> {
  const { databaseUrl: database, redisUrl: redis, dataDir } = ports.config;
  if (database === null || redis === null) {
    assertNoNode(dataDir);
    return openEmbedded(ports);
  }
  markNode(dataDir);
  return openCluster(ports, { database, redis });
}
