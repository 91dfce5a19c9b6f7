import { firstSeconds } from './first-seconds.ts';
import { ordinaryText, relayRoom, serviceRoom } from './room.ts';

/** One member of a room sends with 64 messages unacknowledged; a message is acknowledged when its sender has it back. */
const firstFanout = (members: number) =>
  firstSeconds({
    key: `first_fanout_${members}`,
    title: `a room of ${members} just after a start, one sender, 64 unacknowledged; small frames on the relay`,
    unit: 'delivery',
    async run(bench, generator, start) {
      const { group, pid, conversationId } =
        'service' in start
          ? await serviceRoom(start.service, generator, members)
          : await relayRoom(bench, { kind: start.relay, sizes: 'own' }, generator, members);
      const { seconds, messages, allMessages, allAcks, cores } = await generator.run('flood', {
        group,
        counted: group,
        senders: [{ socket: 0, conversationId, content: ordinaryText }],
        acknowledgedBy: 'delivery',
        inFlight: 64,
        length: { warmUpSeconds: bench.choose(1.5, 0.5), seconds: bench.choose(5, 1) },
        serverPid: pid,
      });
      if (allMessages !== allAcks * members) throw new Error(`${allMessages} deliveries of ${allAcks} messages`);
      return { seconds, count: messages, cores };
    },
  });

export const firstFanout100 = firstFanout(100);
export const firstFanout1000 = firstFanout(1_000);
