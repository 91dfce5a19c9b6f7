import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../statistics.ts';
import { watchCores } from './cores.ts';
import { Deliveries } from './deliveries.ts';
import { mean } from './flood.ts';
import { groupNamed, socketOf } from './groups.ts';
import type { TimedFloodJob, TimedFloodResult, Times } from './jobs.ts';
import { refuseTrouble } from './raw-socket.ts';
import { sendRequest } from './request-frames.ts';

/** Time after the load in which the last frames arrive. */
const drainMs = 1_500;

export async function timedFlood(job: TimedFloodJob): Promise<TimedFloodResult> {
  const group = groupNamed(job.group);
  let isSending = true;
  /** The measured messages: those sent within the interval, whenever they arrive. */
  let [firstMeasured, endMeasured] = [Infinity, Infinity];
  const answersMs: number[] = [];
  const deliveriesMs: number[] = [];
  const isMeasured = (message: number): boolean => message >= firstMeasured && message < endMeasured;
  const acknowledged = new Map<number, () => void>();
  const deliveries = new Deliveries(group.sockets, job.contentBytes, ({ message, sender, receiver, ms }) => {
    if (receiver === sender) acknowledged.get(receiver)?.();
    else if (isMeasured(message)) deliveriesMs.push(ms);
  });
  for (const { socket: at, conversationId } of job.senders) {
    const socket = socketOf(group, at);
    let [sentAtMs, message] = [0, 0];
    const send = (): void => {
      [sentAtMs, message] = [performance.now(), deliveries.count];
      socket.send(sendRequest(conversationId, deliveries.next(at)));
    };
    const taken = (): void => {
      if (isMeasured(message)) answersMs.push(performance.now() - sentAtMs);
      if (isSending) send();
    };
    if (job.acknowledgedBy === 'delivery') acknowledged.set(at, taken);
    else socket.onAcks = taken;
    send();
  }
  await sleep(job.warmUpSeconds * 1_000);
  const cores = watchCores(job.serverPid);
  const startMs = performance.now();
  firstMeasured = deliveries.count;
  await sleep(job.seconds * 1_000);
  endMeasured = deliveries.count;
  isSending = false;
  const seconds = (performance.now() - startMs) / 1_000;
  const coresUsed = cores();
  await sleep(drainMs);
  deliveries.stop();
  for (const { socket } of job.senders) socketOf(group, socket).onAcks = undefined;
  refuseTrouble(group.tally);
  const expected = (endMeasured - firstMeasured) * (job.roomSize - 1);
  if (deliveriesMs.length !== expected) throw new Error(`${deliveriesMs.length} deliveries instead of ${expected}`);
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
