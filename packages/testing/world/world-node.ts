import type { Clock } from '@parley/server/core/clock.ts';
import { readConfig } from '@parley/server/service/config.ts';
import type { Service, ServiceOptions } from '@parley/server/service/interface.ts';
import { createService } from '@parley/server/service/service.ts';
import { type RunningServer, startServer } from '@parley/server/transport/server.ts';
import pino from 'pino';
import { storeOnSharedThread } from '../contracts/store-host.ts';
import { countedReads, slowReads } from '../stores/slow-reads.ts';

export interface LogLine extends Record<string, unknown> {
  level: number;
  msg: string;
}

interface NodeOptions extends Pick<ServiceOptions, 'settings' | 'startStore' | 'wrapRead'> {
  env: Readonly<Record<string, string>>;
  clock: Clock;
  onLog: (line: LogLine) => void;
}

/** One service of a world, with its server. */
export interface WorldNode {
  readonly service: Service;
  readonly server: RunningServer;
  /** Ignores its further log output. */
  mute(): void;
}

/** SLOW_READS=1 runs any test as if the store were on another machine. */
const readsOf = (env: NodeOptions['env']): ServiceOptions['wrapRead'] =>
  env['DATABASE_URL'] ? countedReads : process.env['SLOW_READS'] ? slowReads : undefined;

export async function startNode(options: NodeOptions): Promise<WorldNode> {
  const { env, clock, onLog, settings, startStore, wrapRead = readsOf(env) } = options;
  let isMuted = false;
  const logger = pino(
    { level: 'debug', base: null },
    { write: (line: string) => void (isMuted || onLog(JSON.parse(line))) },
  );
  const service = await createService({
    config: readConfig({ PORT: '0', RATE_LIMITS: '0', LINK_PREVIEWS: '0', MAX_UNKNOWN_CONNECTIONS: '100000', ...env }),
    logger,
    clock,
    onStoreFailure(error) {
      throw error;
    },
    // Several nodes on one busy event loop receive each other's messages late.
    settings: { missingMs: 3_000, ...settings },
    startStore: startStore ?? storeOnSharedThread,
    ...(wrapRead && { wrapRead }),
  });
  return { service, server: await startServer(service), mute: () => (isMuted = true) };
}
