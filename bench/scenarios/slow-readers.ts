import type { PacedResult } from '../load/jobs.ts';
import { residentKibOf } from '../processes/process-status.ts';
import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { devToken } from '../service/running-service.ts';
import { socketPath } from '../service/socket-paths.ts';
import { difference, largest } from '../statistics.ts';
import { wholeFrameBytes } from './latency.ts';
import { floodFromOne } from './room.ts';
import type { Room } from './room.ts';
import { coresText } from './rounds.ts';

const readers = 50;
const stuckAccounts = 200;
const socketsPerStuckAccount = 5;
const messagesPerSecond = 200;
/** Long enough to fill a reader's kernel buffers within the measured time. */
const contentBytes = 1_024;
const sampleMs = 200;

export const slowReaders: Scenario = {
  key: 'slow_readers',
  title: '1,000 sockets that never read alongside 50 that do, 200 messages/s of 1 KiB',
  async run(bench) {
    const generator = bench.generator();
    const service = await bench.freshService();
    const { pid } = service.child;
    const names = await service.people(readers + stuckAccounts);
    const conversationId = await service.group('A room', names);
    const paths = names.map((name) => socketPath(devToken(name)));
    const room: Room = { group: 'readers', url: service.url, pid, conversationId };
    await generator.run('connect', {
      group: 'readers',
      url: service.url,
      paths: paths.slice(0, readers),
      peekBytes: wholeFrameBytes,
    });
    await floodFromOne(generator, room, 8, { requestsPerSender: bench.choose(2_000, 1_000) });
    const paced = (seconds: number) =>
      generator.run('paced', {
        group: 'readers',
        conversationId,
        messagesPerSecond,
        contentBytes,
        warmUpSeconds: 0.3,
        seconds,
        serverPid: pid,
      });

    const baseline = await paced(bench.choose(10, 1));
    const residentBefore = residentKibOf(pid);
    const stuckPaths = paths
      .slice(readers)
      .flatMap((path) => Array.from({ length: socketsPerStuckAccount }, () => path));
    await generator.run('connect', { group: 'stuck', url: service.url, paths: stuckPaths, reading: false });
    let residentPeak: number | undefined;
    const sampling = setInterval(() => {
      residentPeak = largest([residentPeak, residentKibOf(pid)]);
    }, sampleMs);
    let beside: PacedResult;
    try {
      beside = await paced(bench.choose(30, 2.5));
    } finally {
      clearInterval(sampling);
    }
    const grownKib = difference(residentPeak, residentBefore);
    const growthMb = grownKib === undefined ? undefined : grownKib / 1_024;
    const processMb = residentPeak === undefined ? undefined : residentPeak / 1_024;
    const missing = beside.expected - beside.delivered;
    bench.note(`without them: p99 ${baseline.p99Ms?.toFixed(2)} ms; ${coresText(baseline.cores, 'service')}`);
    bench.note(
      `beside them: p99 ${beside.p99Ms?.toFixed(2)} ms, max ${beside.maxMs?.toFixed(1)} ms, ` +
        `${missing === 0 ? 'all delivered' : `${missing} NOT delivered`}; ${coresText(beside.cores, 'service')}`,
    );
    if (bench.quick) bench.note('quick: ends while the kernel buffers of the slow readers are still filling');
    bench.note(`p99 second by second: ${beside.p99OfSecondsMs.map((ms) => ms?.toFixed(1) ?? '-').join(' ')} ms`);
    return {
      figures: {
        p99_ms: rounded(beside.p99Ms, 3),
        baseline_p99_ms: rounded(baseline.p99Ms, 3),
        grown_mib: rounded(growthMb, 1),
        growth_mb: rounded(growthMb, 1),
        process_mb: rounded(processMb, 1),
      },
      lines: [
        { figure: 'p99 of delivery, without them', value: baseline.p99Ms, unit: 'ms' },
        { figure: 'p99 of delivery, beside them', value: beside.p99Ms, unit: 'ms' },
        {
          figure: 'beside - without',
          value: difference(beside.p99Ms, baseline.p99Ms),
          unit: 'ms',
          target: { atMost: 10 },
        },
        { figure: 'resident memory of the process, peak', value: processMb, unit: 'MiB' },
        { figure: 'of which grown beside them', value: growthMb, unit: 'MiB', target: { atMost: 60 } },
      ],
    };
  },
};
