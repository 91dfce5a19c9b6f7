import type { Scenario } from '../scenario.ts';
import { fanout } from './fanout.ts';

export const fanout200: Scenario = {
  key: 'fanout_200',
  title: 'one sender to 200 sockets, 64 unacknowledged',
  run: (bench) => fanout(bench, 200, true),
};
