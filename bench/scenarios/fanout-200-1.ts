import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { ratio } from '../statistics.ts';
import { measureFanout } from './fanout.ts';

export const fanout200One: Scenario = {
  key: 'fanout_200_1',
  title: 'one sender to 200 sockets, each message sent after the previous one was acknowledged',
  async run(bench) {
    const { service, naive } = await measureFanout(bench, 200, 1, false);
    return {
      figures: { service_frames_per_s: rounded(service), naive_frames_per_s: rounded(naive) },
      lines: [
        { figure: 'delivered, service', value: service, unit: 'frames/s' },
        { figure: 'delivered, naive relay', value: naive, unit: 'frames/s' },
        { figure: 'service / naive', value: ratio(service, naive), unit: '×', target: { atLeast: 0.9 } },
      ],
    };
  },
};
