import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BareRequest } from '../baselines/bare-select.ts';
import type { Bench } from '../bench.ts';
import { HttpConnection } from '../load/http-connection.ts';
import { formatted } from '../report.ts';
import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { numberAt } from '../service/reply-fields.ts';
import { devToken } from '../service/running-service.ts';
import type { RunningService } from '../service/running-service.ts';
import { socketPath } from '../service/socket-paths.ts';
import { largest, median, percentile, ratio } from '../statistics.ts';
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
    const dataDir = await bench.dataDir();
    const service = await bench.serviceOn(dataDir);
    const { before, after } = await fill(bench, service, rooms);
    const bare = await bench.bareSelect(join(dataDir, 'parley.db'));
    const between = (share: number) => Math.floor(before + (after - before) * share);
    const one = scopeOf(dataDir, memberOfOne);
    const cases = [
      { who: memberOfOne, scope: one, what: 'a member of one room, from the start', since: before },
      { who: memberOfOne, scope: one, what: 'a member of one room, from a quarter', since: between(0.25) },
      { who: memberOfAll, scope: null, what: 'a member of all, from the start', since: before },
      { who: memberOfAll, scope: null, what: 'a member of all, from the middle', since: between(0.5) },
      { who: memberOfAll, scope: null, what: 'a member of all, the newest', since: after - pageFrames },
    ].map((one) => ({ ...one, times: new Array<number>(), bareTimes: new Array<number>() }));
    const [connection, bareConnection] = [new HttpConnection(service.url), new HttpConnection(bare.url)];
    const warmUps = bench.choose(20, 5);
    await repeatFor({ times: bench.choose(120, 30), seconds: bench.choose(30, 4) }, async (round) => {
      for (const { who, scope, since, times, bareTimes } of cases) {
        const call = { operation: 'getUpdates', token: devToken(who), input: { since, limit: pageFrames } };
        const { ms, body } = await timedCall(connection, call);
        const request: BareRequest = { since, limit: pageFrames, scope };
        const least = await timedCall(bareConnection, { ...call, input: request });
        if (round === 0) refuseShortPage(body);
        if (round < warmUps) continue;
        times.push(ms);
        bareTimes.push(least.ms);
      }
    });
    connection.close();
    bareConnection.close();
    for (const { what, times, bareTimes } of cases) {
      const [middle, p99, least] = [median(times), percentile(times, 0.99), median(bareTimes)];
      bench.note(`${what}: median ${middle?.toFixed(2)} ms, p99 ${p99?.toFixed(2)} ms; bare ${least?.toFixed(2)} ms`);
    }
    const worst = largest(cases.map(({ times }) => median(times)));
    const bareMs = largest(cases.map(({ bareTimes }) => median(bareTimes)));
    const share = largest(cases.map(({ times, bareTimes }) => ratio(median(times), median(bareTimes))));
    return {
      figures: rounded(worst, 3),
      more: { updates_1000_bare_ms: rounded(bareMs, 3) },
      lines: [
        { figure: 'median, the worst of all callers', value: worst, unit: 'ms', target: { atMost: 5 } },
        { figure: 'median of a bare SELECT, the worst', value: bareMs, unit: 'ms' },
        { figure: 'service / bare, the worst', value: share, unit: '×', target: { atMost: 2 } },
      ],
    };
  },
};

/** The scope of the only conversation of an account that is not its own with the guide. */
function scopeOf(dataDir: string, username: string): number {
  const database = new DatabaseSync(join(dataDir, 'parley.db'), { readOnly: true });
  const row = database
    .prepare(
      `SELECT 2 * p.chat_key AS scope FROM participants p JOIN accounts a ON a.key = p.account_key
       JOIN chats c ON c.key = p.chat_key WHERE a.username = ? AND c.kind = 'group'`,
    )
    .get(username);
  database.close();
  return Number(row?.['scope']);
}

/** A page with other frames than requested is not a valid measurement. */
function refuseShortPage(body: Buffer): void {
  const { result }: { result: { frames: { method: string }[]; truncated?: true } } = JSON.parse(body.toString());
  const messages = result.frames.filter((frame) => frame.method === 'events.messageNew').length;
  if (result.truncated || messages !== pageFrames) {
    throw new Error(`a page of ${messages} messages instead of ${pageFrames}, ${body.length} bytes`);
  }
}
