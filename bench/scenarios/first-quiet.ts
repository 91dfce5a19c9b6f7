import { firstSeconds } from './first-seconds.ts';
import { wholeFrameBytes } from './latency.ts';
import { relayRoom, serviceRoom } from './room.ts';

const members = 50;

/** Ten of 50 members send 100 messages a second in all, from the first moment on. */
export const firstQuiet = firstSeconds({
  key: 'first_quiet_room',
  title: 'a room of 50 just after a start, ten members send 100 messages/s; small frames on the relay',
  unit: 'message',
  isPaced: true,
  async run(bench, generator, start) {
    const { group, pid, conversationId } =
      'service' in start
        ? await serviceRoom(start.service, generator, members, wholeFrameBytes)
        : await relayRoom(bench, { kind: start.relay, sizes: 'own' }, generator, members, wholeFrameBytes);
    const seconds = bench.choose(12, 2);
    const result = await generator.run('paced', {
      group,
      conversationId,
      messagesPerSecond: 100,
      senders: 10,
      fromDue: true,
      contentBytes: 80,
      warmUpSeconds: 0,
      seconds,
      serverPid: pid,
    });
    if (result.delivered !== result.expected) throw new Error(`${result.delivered} of ${result.expected} delivered`);
    return { seconds, count: result.sent, cores: result.cores, p50Ms: result.p50Ms, p99Ms: result.p99Ms };
  },
});
