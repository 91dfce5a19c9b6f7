import { openCluster } from './cluster.ts';
import { openEmbedded } from './embedded.ts';
import type { Engine, EnginePorts } from './engine.ts';

/** As the configuration says: one process with its files, or a node of several. */
export async function openEngine(ports: EnginePorts): Promise<Engine> {
  const { databaseUrl: database, redisUrl: redis } = ports.config;
  return database !== null && redis !== null ? openCluster(ports, { database, redis }) : openEmbedded(ports);
}
