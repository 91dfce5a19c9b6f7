import type { Scenario } from '../scenario.ts';
import { clusterCost } from './cluster-cost.ts';
import { clusterFailover } from './cluster-failover.ts';
import { clusterFanout } from './cluster-fanout.ts';
import { clusterLatency } from './cluster-latency.ts';
import { clusterRooms } from './cluster-rooms.ts';
import { clusterSizes } from './cluster-sizes.ts';
import { codeBombs } from './code-bombs.ts';
import { deltas200 } from './deltas-200.ts';
import { fanout1000 } from './fanout-1000.ts';
import { fanout200One } from './fanout-200-1.ts';
import { fanout200 } from './fanout-200.ts';
import { clusterFairness, fairness } from './fairness.ts';
import { firstFanout100, firstFanout1000 } from './first-fanout.ts';
import { firstQuiet } from './first-quiet.ts';
import { firstReturn } from './first-return.ts';
import { firstRooms } from './first-rooms.ts';
import { firstTurns } from './first-turns.ts';
import { growth } from './growth.ts';
import { idle } from './idle.ts';
import { latency } from './latency.ts';
import { parts200 } from './parts-200.ts';
import { roomsOf5 } from './rooms-of-5.ts';
import { roomsSlowFlush } from './rooms-slow-flush.ts';
import { clusterSearch, search } from './search.ts';
import { slowReaders } from './slow-readers.ts';
import { reconnectStorm } from './storm.ts';
import { starts } from './starts.ts';
import { streams } from './streams.ts';
import { updates1000 } from './updates-1000.ts';
import { webLarge } from './web-large.ts';
import { web } from './web.ts';

/** In running order. */
export const scenarios: readonly Scenario[] = [
  fanout200,
  fanout1000,
  fanout200One,
  roomsOf5,
  roomsSlowFlush,
  firstRooms,
  firstQuiet,
  firstFanout100,
  firstFanout1000,
  firstReturn,
  firstTurns,
  fairness,
  latency,
  streams,
  idle,
  reconnectStorm,
  deltas200,
  parts200,
  updates1000,
  slowReaders,
  codeBombs,
  growth,
  starts,
  search,
  web,
  webLarge,
  clusterRooms,
  clusterFairness,
  clusterLatency,
  clusterCost,
  clusterFanout,
  clusterFailover,
  clusterSizes,
  clusterSearch,
];
