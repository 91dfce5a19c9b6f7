import { wholeFrameBytes } from './latency.ts';
import { firstSeconds } from './first-seconds.ts';
import { relayRooms, roomSize, serviceRooms } from './rooms-of-5.ts';

/** 200 of 1,000 connections send, one message after another; a message is acknowledged when its sender has it back. */
export const firstRooms = firstSeconds({
  key: 'first_rooms_of_5',
  title: '200 rooms of five just after a start, one sender each; small frames on the relay',
  unit: 'message',
  ofNaive: 0.7,
  async run(bench, generator, start) {
    const { group, pid, conversationIds } =
      'service' in start
        ? await serviceRooms(start.service, generator, 'service', wholeFrameBytes)
        : await relayRooms(bench, start.relay, 'own', generator, wholeFrameBytes);
    const senders = conversationIds
      .map((conversationId, socket) => ({ socket, conversationId }))
      .filter(({ socket }) => socket % roomSize === 0);
    const { seconds, acks, deliveries, cores } = await generator.run('timedFlood', {
      group,
      senders,
      acknowledgedBy: 'delivery',
      roomSize,
      contentBytes: 80,
      warmUpSeconds: bench.choose(1.5, 0.5),
      seconds: bench.choose(5, 1),
      serverPid: pid,
    });
    return { seconds, count: acks, cores, p50Ms: deliveries.p50, p99Ms: deliveries.p99 };
  },
});
