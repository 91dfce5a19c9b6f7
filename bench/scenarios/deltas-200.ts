import type { FloodResult } from '../load/jobs.ts';
import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { formatted } from '../report.ts';
import { socketPath } from '../service/socket-paths.ts';
import { median } from '../statistics.ts';
import { serviceRoom } from './room.ts';
import { coresText } from './rounds.ts';

const members = 200;
const bots = 20;
/** Text of a stream is sent about every 40 ms, so 2,000 streams can carry 50,000 deltas a second. */
const streamsPerBot = 100;
const delta = ' a token';
const inFlightPerBot = 64;

const framesPerSecond = (result: FloodResult): number => result.deltas / result.seconds;

export const deltas200: Scenario = {
  key: 'deltas_200',
  title: 'deltas of 2,000 open streams to 200 sockets',
  async run(bench) {
    const generator = bench.generator();
    const service = await bench.service();
    const room = await serviceRoom(service, generator, members);
    const daemons = await service.bots('m0', room.conversationId, bots);
    const streams = await service.streams(room.conversationId, daemons, streamsPerBot);
    await generator.run('connect', {
      group: 'daemons',
      url: service.url,
      // The daemons' own sockets receive no deltas.
      paths: daemons.map((bot) => socketPath(bot.token, { caps: 'nodrafts' })),
    });
    const results: FloodResult[] = [];
    for (let round = 0; round < bench.rounds; round++) {
      results.push(
        await generator.run('flood', {
          group: 'daemons',
          counted: room.group,
          senders: streams.map((ids, socket) => ({ socket, streams: ids, delta })),
          inFlight: inFlightPerBot,
          length: { warmUpSeconds: bench.choose(1, 0.5), seconds: bench.choose(3, 1) },
          serverPid: service.child.pid,
        }),
      );
    }
    const last = results.at(-1);
    if (last !== undefined) {
      bench.note(
        `${results.map((result) => formatted(framesPerSecond(result))).join(', ')} frames/s of ${last.deltaBytes?.toFixed(0)} bytes, ` +
          `from ${formatted(last.acks / last.seconds)} appends/s; ${coresText(last.cores, 'service')}`,
      );
    }
    await service.finishStreams(daemons, streams);
    const rate = median(results.map(framesPerSecond));
    return {
      figures: { service_frames_per_s: rounded(rate) },
      lines: [{ figure: 'delivered', value: rate, unit: 'frames/s', target: { atLeast: 5_000_000 } }],
    };
  },
};
