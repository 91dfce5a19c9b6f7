// What both transports share to bound what is received: bytes, time, connections of strangers, and log lines about them.
import { limits } from '@parley/protocol';
import type { Service } from '../service/service.ts';
import { proxyReader } from './addresses.ts';
import { ByteBudget } from '../core/byte-budget.ts';
import { Connections } from './connections.ts';
import { refusedOriginLogger } from './origins.ts';
import { SlowBodies } from './slow-bodies.ts';

/** Part of the budget that one owner may hold; a whole body of the largest size fits in any case. */
const SHARE_OF_OWNER = 1 / 8;

export interface Intake {
  readonly budget: ByteBudget;
  readonly slow: SlowBodies;
  readonly connections: Connections;
  /** One for both transports, so that its bound holds for them together (TRANS-7). */
  readonly logRefusedOrigin: (origin: string) => void;
}

export function createIntake({ config, clock, logger }: Service): Intake {
  const isProxy = proxyReader(config);
  const { maxUnfinishedBytes: maxBytes } = config;
  return {
    budget: new ByteBudget(maxBytes, Math.max(maxBytes * SHARE_OF_OWNER, limits.bodyBytes)),
    slow: new SlowBodies(clock),
    connections: new Connections({ clock, maxPerAddress: config.maxUnknownConnections, isProxy }),
    logRefusedOrigin: refusedOriginLogger(logger, clock),
  };
}
