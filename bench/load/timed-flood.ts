import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../statistics.ts';
import { watchCores } from './cores.ts';
import { Deliveries } from './deliveries.ts';
import { mean, refuseTrouble } from './flood.ts';
import { groupNamed, socketOf } from './groups.ts';
import type { TimedFloodJob, TimedFloodResult, Times } from './jobs.ts';
import { sendRequest } from './request-frames.ts';

/** Time after the load in which the last frames arrive. */
const drainMs = 1_000;

export async function timedFlood(job: TimedFloodJob): Promise<TimedFloodResult> {
  const group = groupNamed(job.group);
  let isMeasuring = false;
  let isSending = true;
  const answersMs: number[] = [];
  const deliveriesMs: number[] = [];
  const deliveries = new Deliveries(group.sockets, job.contentBytes, ({ sender, receiver, ms }) => {
    if (isMeasuring && receiver !== sender) deliveriesMs.push(ms);
  });
  for (const { socket: at, conversationId } of job.senders) {
    const socket = socketOf(group, at);
    let sentAtMs = 0;
    const send = (): void => {
      sentAtMs = performance.now();
      socket.send(sendRequest(conversationId, deliveries.next(at)));
    };
    socket.onAcks = () => {
      if (isMeasuring) answersMs.push(performance.now() - sentAtMs);
      if (isSending) send();
    };
    send();
  }
  await sleep(job.warmUpSeconds * 1_000);
  const cores = watchCores(job.serverPid);
  const startMs = performance.now();
  isMeasuring = true;
  await sleep(job.seconds * 1_000);
  isMeasuring = false;
  isSending = false;
  const seconds = (performance.now() - startMs) / 1_000;
  const coresUsed = cores();
  await sleep(drainMs);
  deliveries.stop();
  for (const { socket } of job.senders) socketOf(group, socket).onAcks = undefined;
  refuseTrouble(group.tally);
  return {
    seconds,
    acks: answersMs.length,
    answers: timesOf(answersMs),
    deliveries: timesOf(deliveriesMs),
    cores: coresUsed,
  };
}

function timesOf(all: readonly number[]): Times {
  const sum = all.reduce((total, ms) => total + ms, 0);
  return { mean: mean(sum, all.length), p50: percentile(all, 0.5), p99: percentile(all, 0.99) };
}
