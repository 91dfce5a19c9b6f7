import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { devToken } from '../service/running-service.ts';
import { socketPath } from '../service/socket-paths.ts';
import { median, ratio } from '../statistics.ts';
import { assumedSizes } from './room.ts';
import { alternate } from './rounds.ts';

const clients = 2_000;

function pathsIn(room: string): string[] {
  return Array.from({ length: clients }, (_, index) => socketPath(devToken(`m${index}`), { room }));
}

export const reconnectStorm: Scenario = {
  key: 'storm',
  title: '2,000 clients dropped at once, until the last one has received its hello again',
  async run(bench) {
    const generator = bench.generator();
    const service = await bench.attempt('service', async () => {
      const running = await bench.service();
      await running.people(clients);
      await generator.run('connect', { group: 'service', url: running.url, paths: pathsIn('') });
      return running;
    });
    const naive = await bench.attempt('naive relay', async () => {
      const relay = await bench.relay('naive', assumedSizes);
      await generator.run('connect', { group: 'naive', url: relay.url, paths: pathsIn('storm') });
      return relay;
    });
    const storm = async (group: string, serverPid: number) =>
      (await generator.run('storm', { group, serverPid })).seconds;
    const results = await alternate(bench, {
      service: service && (() => storm('service', service.child.pid)),
      naive: naive && (() => storm('naive', naive.pid)),
    });
    const [serviceSeconds, naiveSeconds] = [median(results['service'] ?? []), median(results['naive'] ?? [])];
    bench.note(`service ${texts(results['service'])} s, naive relay ${texts(results['naive'])} s`);
    return {
      figures: { service_s: rounded(serviceSeconds, 3), naive_s: rounded(naiveSeconds, 3) },
      lines: [
        { figure: 'all back, service', value: serviceSeconds, unit: 's' },
        { figure: 'all back, naive relay', value: naiveSeconds, unit: 's' },
        { figure: 'service / naive', value: ratio(serviceSeconds, naiveSeconds), unit: '×', target: { atMost: 1.3 } },
      ],
    };
  },
};

function texts(seconds: readonly number[] | undefined): string {
  return seconds === undefined || seconds.length === 0 ? 'n/a' : seconds.map((value) => value.toFixed(2)).join(', ');
}
