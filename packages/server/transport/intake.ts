// Limits on what both transports receive: unfinished bytes, slow bodies, unauthenticated connections, and log lines.
import { limits } from '@parley/protocol';
import type { Service } from '../service/interface.ts';
import { proxyReader } from './addresses.ts';
import { ByteBudget } from '../core/byte-budget.ts';
import { Connections } from './connections.ts';
import { refusedOriginLogger } from './origins.ts';
import { Shares } from '../core/slices.ts';
import { SlowBodies } from './slow-bodies.ts';

/** Maximum share of the byte budget per owner; at least one body of the maximum size always fits. */
const SHARE_OF_OWNER = 1 / 8;

export interface Intake {
  readonly budget: ByteBudget;
  readonly slow: SlowBodies;
  readonly connections: Connections;
  /** The event-loop time of each owner, over all its connections and sockets. */
  readonly shares: Shares;
  /** Shared by both transports, so that its limit covers the two together (TRANS-7). */
  readonly logRefusedOrigin: (origin: string) => void;
}

export function createIntake({ config, clock, logger }: Service): Intake {
  const isProxy = proxyReader(config);
  const { maxUnfinishedBytes: maxBytes } = config;
  return {
    budget: new ByteBudget(maxBytes, Math.max(maxBytes * SHARE_OF_OWNER, limits.bodyBytes)),
    slow: new SlowBodies(clock),
    connections: new Connections({ clock, maxPerAddress: config.maxUnknownConnections, isProxy }),
    shares: new Shares(),
    logRefusedOrigin: refusedOriginLogger(logger, clock),
  };
}
