import { setTimeout as sleep } from 'node:timers/promises';
import { watchCores } from './cores.ts';
import { groupNamed, socketOf } from './groups.ts';
import type { Acknowledgement, FloodJob, FloodResult, Sending } from './jobs.ts';
import { refuseTrouble } from './raw-socket.ts';
import type { RawSocket, Tally } from './raw-socket.ts';
import { AppendRequests, SendRequests } from './request-frames.ts';
import type { RequestSource } from './request-frames.ts';

const drainTimeoutMs = 20_000;
const stallTimeoutMs = 30_000;
const quietMs = 80;

function sourceOf(sending: Sending): RequestSource {
  return 'streams' in sending
    ? new AppendRequests(sending.streams, sending.delta)
    : new SendRequests(sending.conversationId, sending.content);
}

/**
 * Keeps a number of requests in flight on one socket; each read's answers are replaced by new requests in one write.
 */
class FloodSender {
  inFlight = 0;
  answered = 0;
  #left: number;
  readonly #socket: RawSocket;
  readonly #source: RequestSource;

  constructor(socket: RawSocket, source: RequestSource, requests: number, by: Acknowledgement = 'answer') {
    this.#socket = socket;
    this.#source = source;
    this.#left = requests;
    socket[by === 'answer' ? 'onAcks' : 'onMessages'] = (count) => {
      this.inFlight -= count;
      this.answered += count;
      this.send(count);
    };
  }

  send(count: number): void {
    const sending = Math.min(count, this.#left);
    if (sending === 0) return;
    this.#left -= sending;
    this.inFlight += sending;
    if (sending === 1) return this.#socket.send(this.#source.next());
    this.#socket.send(Buffer.concat(Array.from({ length: sending }, () => this.#source.next())));
  }

  stop(): void {
    this.#left = 0;
  }
}

export async function flood(job: FloodJob): Promise<FloodResult> {
  const group = groupNamed(job.group);
  const counted = groupNamed(job.counted).tally;
  const requests = 'seconds' in job.length ? Infinity : job.length.requestsPerSender;
  const senders = job.senders.map(
    (sending) => new FloodSender(socketOf(group, sending.socket), sourceOf(sending), requests, job.acknowledgedBy),
  );
  const answered = (): number => senders.reduce((sum, sender) => sum + sender.answered, 0);
  const atStart = { ...counted };

  for (const sender of senders) sender.send(job.inFlight);
  const warmUpSeconds = 'seconds' in job.length ? job.length.warmUpSeconds : 0;
  if (warmUpSeconds > 0) await sleep(warmUpSeconds * 1_000);
  const from = { ...counted, acks: answered() };
  const startMs = performance.now();
  const cores = watchCores(job.serverPid);
  if ('seconds' in job.length) await sleep(job.length.seconds * 1_000);
  else await allAnswered(senders, group.tally, answered);
  const to = { ...counted, acks: answered() };
  const seconds = (performance.now() - startMs) / 1_000;
  const coresUsed = cores();

  for (const sender of senders) sender.stop();
  await drained(senders, counted);
  for (const tally of new Set([group.tally, counted])) refuseTrouble(tally);
  const allMessages = counted.messages - atStart.messages;
  return {
    seconds,
    acks: to.acks - from.acks,
    messages: to.messages - from.messages,
    deltas: to.deltas - from.deltas,
    allAcks: answered(),
    allMessages,
    messageBytes: mean(counted.messageBytes - atStart.messageBytes, allMessages),
    deltaBytes: mean(counted.deltaBytes - atStart.deltaBytes, counted.deltas - atStart.deltas),
    ackBytes: mean(group.tally.ackBytes, group.tally.acks),
    cores: coresUsed,
  };
}

export function mean(sum: number, count: number): number | undefined {
  return count === 0 ? undefined : sum / count;
}

async function allAnswered(senders: FloodSender[], tally: Tally, answered: () => number): Promise<void> {
  let acks = answered();
  let lastProgressMs = performance.now();
  while (senders.some((sender) => sender.inFlight > 0)) {
    await sleep(5);
    refuseTrouble(tally);
    if (answered() !== acks) lastProgressMs = performance.now();
    else if (performance.now() - lastProgressMs > stallTimeoutMs) throw new Error('the server has stopped answering');
    acks = answered();
  }
}

/** Waits until all requests are answered and no more frames arrive, so that rounds do not overlap. */
async function drained(senders: FloodSender[], counted: Tally): Promise<void> {
  const deadlineMs = performance.now() + drainTimeoutMs;
  let frames = -1;
  while (performance.now() < deadlineMs) {
    const now = counted.messages + counted.deltas;
    if (now === frames && senders.every((sender) => sender.inFlight === 0)) return;
    if (counted.trouble !== undefined) return;
    frames = now;
    await sleep(quietMs);
  }
  throw new Error('the server did not answer everything within 20 s after the load');
}
