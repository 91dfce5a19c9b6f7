import { randomUUID } from 'node:crypto';
import type { RelayKind, Sizes } from '../baselines/relay.ts';
import type { Bench } from '../bench.ts';
import type { FloodJob, FloodResult } from '../load/jobs.ts';
import type { Generator } from '../processes/generator.ts';
import { devToken } from '../service/running-service.ts';
import type { RunningService } from '../service/running-service.ts';
import { socketPath } from '../service/socket-paths.ts';

/** A room with all members connected, in the service or in a relay: the load is the same for both. */
export interface Room {
  /** The generator's sockets, one for each member. */
  group: string;
  url: string;
  pid: number;
  conversationId: string;
}

/** A message of ordinary length; its frame is several times as long. */
export const ordinaryText = 'The quick brown fox jumps over the lazy dog, and then it is lunch.';

/** Frame sizes to assume if there is no service to measure them on. */
export const assumedSizes: Sizes = { messageBytes: 720, deltaBytes: 190, ackBytes: 700 };

export async function serviceRoom(
  service: RunningService,
  generator: Generator,
  members: number,
  peekBytes = 0,
  caps?: string,
): Promise<Room> {
  const names = await service.people(members);
  const conversationId = await service.group('A room', names);
  const group = `service ${conversationId}`;
  const paths = names.map((name) => socketPath(devToken(name), caps === undefined ? {} : { caps }));
  await generator.run('connect', { group, url: service.url, paths, peekBytes });
  return { group, url: service.url, pid: service.child.pid, conversationId };
}

export async function relayRoom(
  bench: Bench,
  { kind, sizes }: { kind: RelayKind; sizes: Sizes | 'own' },
  generator: Generator,
  members: number,
  peekBytes = 0,
): Promise<Room> {
  const relay = await bench.relay(kind, sizes);
  const room = randomUUID();
  const group = `${kind} ${room}`;
  const paths = Array.from({ length: members }, (_, index) => socketPath(devToken(`m${index}`), { room }));
  await generator.run('connect', { group, url: relay.url, paths, peekBytes });
  return { group, url: relay.url, pid: relay.pid, conversationId: room };
}

/** One member sends as fast as it is answered, all receive. */
export function floodFromOne(
  generator: Generator,
  room: Room,
  inFlight: number,
  length: FloodJob['length'],
): Promise<FloodResult> {
  return generator.run('flood', {
    group: room.group,
    counted: room.group,
    senders: [{ socket: 0, conversationId: room.conversationId, content: ordinaryText }],
    inFlight,
    length,
    serverPid: room.pid,
  });
}

/** Frame sizes measured in a load, so that a relay sends frames of the same size. */
export function sizesOf(result: { [Name in keyof Sizes]: number | undefined } | undefined): Sizes {
  if (result === undefined) return assumedSizes;
  return {
    messageBytes: Math.round(result.messageBytes ?? assumedSizes.messageBytes),
    deltaBytes: Math.round(result.deltaBytes ?? assumedSizes.deltaBytes),
    ackBytes: Math.round(result.ackBytes ?? assumedSizes.ackBytes),
  };
}

export function sizesText(sizes: Sizes): string {
  return `frames of ${sizes.messageBytes} bytes, replies of ${sizes.ackBytes}`;
}
