import type { Scenario } from '../scenario.ts';
import { fanout } from './fanout.ts';

export const fanout1000: Scenario = {
  key: 'fanout_1000',
  title: 'one sender to 1,000 sockets, 64 unacknowledged',
  run: (bench) => fanout(bench, 1_000, !bench.quick),
};
