import { watchCores } from './cores.ts';
import type { ConnectJob, StormJob, StormResult } from './jobs.ts';
import { newTally, RawSocket, refuseTrouble } from './raw-socket.ts';
import type { RawSocketOptions, Tally } from './raw-socket.ts';
import { updatesRequest } from './request-frames.ts';

export interface Group {
  sockets: RawSocket[];
  tally: Tally;
  options: RawSocketOptions[];
  /** The numbers in the hellos of the sockets that were dropped last. */
  lastHeads: number[];
}

const groups = new Map<string, Group>();
const handshakesAtOnce = 200;
const stormTimeoutMs = 30_000;

export function groupNamed(name: string): Group {
  const group = groups.get(name);
  if (group === undefined) throw new Error(`unknown group of sockets: ${name}`);
  return group;
}

export function socketOf(group: Group, index: number): RawSocket {
  const socket = group.sockets[index];
  if (socket === undefined) throw new Error(`the group has no socket ${index}`);
  return socket;
}

const secondsSince = (startMs: number): number => (performance.now() - startMs) / 1_000;

export async function connect(job: ConnectJob): Promise<{ seconds: number }> {
  const { hostname, port } = new URL(job.url);
  const tally = newTally();
  const options = job.paths.map((path) => ({
    host: hostname,
    port: Number(port),
    path,
    tally,
    peekBytes: job.peekBytes ?? 0,
    reading: job.reading ?? true,
  }));
  const group: Group = { sockets: [], tally, options, lastHeads: [] };
  groups.set(job.group, group);
  const startMs = performance.now();
  await open(group, job.atOnce ? options.length : handshakesAtOnce);
  return { seconds: secondsSince(startMs) };
}

async function open(group: Group, atOnce: number): Promise<void> {
  for (let from = 0; from < group.options.length; from += atOnce) {
    const some = group.options.slice(from, from + atOnce).map((options) => new RawSocket(options));
    group.sockets.push(...some);
    await Promise.all(some.map((socket) => socket.hello));
  }
}

export function drop(name: string): number {
  const group = groupNamed(name);
  for (const socket of group.sockets) socket.drop();
  group.lastHeads = group.sockets.map((socket) => socket.head);
  return group.sockets.splice(0).length;
}

/** Drops and reopens all connections; measures until the last one has received its hello, or what it has missed. */
export async function storm({ group: name, catchesUp = false, serverPid }: StormJob): Promise<StormResult> {
  const group = groupNamed(name);
  const cores = watchCores(serverPid);
  const startMs = performance.now();
  if (group.sockets.length > 0) drop(name);
  await open(group, group.options.length);
  const { acks, ackBytes } = group.tally;
  if (catchesUp)
    await orTrouble(
      group.tally,
      group.sockets.map((socket, at) => caughtUp(socket, group.lastHeads[at] ?? 0)),
    );
  const answers = group.tally.acks - acks;
  return {
    seconds: secondsSince(startMs),
    answerBytes: answers === 0 ? undefined : (group.tally.ackBytes - ackBytes) / answers,
    cores: cores(),
  };
}

/** A refused request has no answer to wait for. */
async function orTrouble(tally: Tally, works: Promise<void>[]): Promise<void> {
  const failed = Promise.withResolvers<never>();
  const startMs = performance.now();
  const watch = setInterval(() => {
    try {
      refuseTrouble(tally);
      if (performance.now() - startMs > stormTimeoutMs) throw new Error('the server has stopped answering');
    } catch (error) {
      failed.reject(error);
    }
  }, 50);
  try {
    await Promise.race([Promise.all(works), failed.promise]);
  } finally {
    clearInterval(watch);
  }
}

function caughtUp(socket: RawSocket, since: number): Promise<void> {
  return new Promise((resolve) => {
    socket.onAcks = () => {
      socket.onAcks = undefined;
      resolve();
    };
    socket.send(updatesRequest(since));
  });
}
