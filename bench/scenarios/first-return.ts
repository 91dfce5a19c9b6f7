import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { devToken } from '../service/running-service.ts';
import { socketPath } from '../service/socket-paths.ts';
import { firstSeconds } from './first-seconds.ts';
import { wholeFrameBytes } from './latency.ts';
import { ordinaryText } from './room.ts';

const [clients, roomSize] = [2_000, 50];
/** How long a server has to see that its connections are gone, before they come back. */
const awayMs = 500;

/** All connections are dropped at once and miss a message; then one to each room must reach every member. */
export const firstReturn = firstSeconds({
  key: 'first_return_2000',
  title:
    '2,000 clients in rooms of 50 dropped at once, just after a start, until all have the message that they missed; ' +
    'the relay does not catch up',
  unit: 'client',
  async run(bench, generator, start) {
    const names = Array.from({ length: clients }, (_, index) => `m${index}`);
    const members = Array.from({ length: clients / roomSize }, (_, room) =>
      names.slice(room * roomSize, (room + 1) * roomSize),
    );
    const isService = 'service' in start;
    if (isService) await start.service.people(clients);
    const rooms = isService ? await start.service.groups(members) : members.map(() => randomUUID());
    const child = isService ? start.service.child : await bench.relay(start.relay, 'own');
    const conversationOf = (index: number): string => rooms[Math.floor(index / roomSize)] ?? '';
    const paths = names.map((name, index) =>
      socketPath(devToken(name), isService ? {} : { room: conversationOf(index) }),
    );
    const group = 'returning';
    await generator.run('connect', { group, url: child.url, paths, peekBytes: wholeFrameBytes });
    await generator.run('drop', { group });
    await sleep(awayMs);
    if (isService)
      await start.service.callForAll([...rooms.entries()], ([room, chatId]) =>
        start.service.call('sendMessage', devToken(names[room * roomSize] ?? ''), {
          chat_id: chatId,
          client_msg_id: randomUUID(),
          text: ordinaryText,
        }),
      );
    const { seconds, answerBytes, cores } = await generator.run('storm', {
      group,
      catchesUp: isService,
      serverPid: child.pid,
    });
    if (isService && !((answerBytes ?? 0) > ordinaryText.length))
      throw new Error(`the clients missed nothing: answers of ${answerBytes} bytes`);
    const { allMessages } = await generator.run('flood', {
      group,
      counted: group,
      senders: rooms.map((conversationId, room) => ({
        socket: room * roomSize,
        conversationId,
        content: ordinaryText,
      })),
      acknowledgedBy: 'delivery',
      inFlight: 1,
      length: { requestsPerSender: 1 },
      serverPid: child.pid,
    });
    if (allMessages !== clients)
      throw new Error(`${allMessages} of ${clients} clients got a message after their return`);
    return { seconds, count: clients, cores };
  },
});
