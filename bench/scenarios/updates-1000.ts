import type { Bench } from '../bench.ts';
import { HttpConnection } from '../load/http-connection.ts';
import { formatted } from '../report.ts';
import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { numberAt } from '../service/reply-fields.ts';
import { devToken } from '../service/running-service.ts';
import type { RunningService } from '../service/running-service.ts';
import { socketPath } from '../service/socket-paths.ts';
import { largest, median, percentile } from '../statistics.ts';
import { ordinaryText } from './room.ts';
import { repeatFor } from './rounds.ts';
import { timedCall } from './timed-calls.ts';

const messagesPerRoom = 1_500;
const pageFrames = 1_000;
const [memberOfAll, memberOfOne] = ['everywhere', 'somewhere'];

/** Fills the rooms evenly; one account is in all of them, one only in the first. */
async function fill(bench: Bench, service: RunningService, rooms: number): Promise<{ before: number; after: number }> {
  const senders = await service.people(rooms);
  for (const name of [memberOfAll, memberOfOne]) await service.call('getMe', devToken(name), {});
  const ids = await service.groups(
    senders.map((name, index) => (index === 0 ? [name, memberOfAll, memberOfOne] : [name, memberOfAll])),
  );
  const before = await headOf(service);
  const generator = bench.generator();
  const paths = senders.map((name) => socketPath(devToken(name)));
  await generator.run('connect', { group: 'senders', url: service.url, paths });
  const filled = await generator.run('flood', {
    group: 'senders',
    counted: 'senders',
    senders: ids.map((conversationId, socket) => ({ socket, conversationId, content: ordinaryText })),
    inFlight: 8,
    length: { requestsPerSender: messagesPerRoom },
    serverPid: service.child.pid,
  });
  generator.stop();
  bench.note(
    `${formatted(filled.allAcks)} events in ${rooms} rooms, stored at ${formatted(filled.allAcks / filled.seconds)}/s`,
  );
  return { before, after: await headOf(service) };
}

async function headOf(service: RunningService): Promise<number> {
  // The member of all rooms receives every event.
  return numberAt(await service.call('getChats', devToken(memberOfAll), { limit: 1 }), 'head');
}

export const updates1000: Scenario = {
  key: 'updates_1000_ms',
  title: 'getUpdates of 1,000 frames out of 300,000 events in 200 rooms',
  async run(bench) {
    const rooms = bench.choose(200, 15);
    if (bench.quick) bench.note(`quick: ${formatted(rooms * messagesPerRoom)} events in ${rooms} rooms instead`);
    const service = await bench.freshService();
    const { before, after } = await fill(bench, service, rooms);
    const between = (share: number) => Math.floor(before + (after - before) * share);
    const cases = [
      { who: memberOfOne, what: 'a member of one room, from the start', since: before },
      { who: memberOfOne, what: 'a member of one room, from a quarter', since: between(0.25) },
      { who: memberOfAll, what: 'a member of all, from the start', since: before },
      { who: memberOfAll, what: 'a member of all, from the middle', since: between(0.5) },
      { who: memberOfAll, what: 'a member of all, the newest', since: after - pageFrames },
    ];
    const connection = new HttpConnection(service.url);
    const times = cases.map((): number[] => []);
    const warmUps = bench.choose(20, 5);
    await repeatFor({ times: bench.choose(120, 30), seconds: bench.choose(30, 2) }, async (round) => {
      for (const [index, { who, since }] of cases.entries()) {
        const call = { operation: 'getUpdates', token: devToken(who), input: { since, limit: pageFrames } };
        const { ms, body } = await timedCall(connection, call);
        if (round === 0) refuseShortPage(body);
        if (round >= warmUps) times[index]?.push(ms);
      }
    });
    connection.close();
    for (const [index, { what }] of cases.entries()) {
      const [middle, p99] = [median(times[index] ?? []), percentile(times[index] ?? [], 0.99)];
      bench.note(`${what}: median ${middle?.toFixed(2)} ms, p99 ${p99?.toFixed(2)} ms`);
    }
    const worst = largest(times.map(median));
    return {
      figures: rounded(worst, 3),
      lines: [{ figure: 'median, the worst of all callers', value: worst, unit: 'ms', target: { atMost: 5 } }],
    };
  },
};

/** A page with other frames than requested is not a valid measurement. */
function refuseShortPage(body: Buffer): void {
  const { result }: { result: { frames: { method: string }[]; truncated?: true } } = JSON.parse(body.toString());
  const messages = result.frames.filter((frame) => frame.method === 'events.messageNew').length;
  if (result.truncated || messages !== pageFrames) {
    throw new Error(`a page of ${messages} messages instead of ${pageFrames}, ${body.length} bytes`);
  }
}
