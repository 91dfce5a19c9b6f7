import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../statistics.ts';
import { watchCores } from './cores.ts';
import { Deliveries } from './deliveries.ts';
import { mean } from './flood.ts';
import { groupNamed } from './groups.ts';
import type { Group } from './groups.ts';
import type { PacedJob, PacedResult } from './jobs.ts';
import { refuseTrouble } from './raw-socket.ts';
import { type Action, repeat } from './repeat.ts';
import { sendRequest } from './request-frames.ts';
import { tokens } from './tokens.ts';

const lateDeliveriesMs = 3_000;

export async function paced(job: PacedJob): Promise<PacedResult> {
  const group = groupNamed(job.group);
  const deliveries = watchDeliveries(group, job);
  const streamGroup = job.streams === undefined ? undefined : groupNamed(job.streams.group);
  const atStart = { ...group.tally };

  const grown = job.streams === undefined || streamGroup === undefined ? [] : tokens(streamGroup, job.streams);
  const stopAll = repeat([deliveries.action, ...grown]);
  await sleep(job.warmUpSeconds * 1_000);
  const cores = watchCores(job.serverPid);
  deliveries.measuring(true);
  await sleep(job.seconds * 1_000);
  deliveries.measuring(false);
  const coresUsed = cores();
  stopAll();
  await deliveries.arrived(lateDeliveriesMs);

  deliveries.stop();
  refuseTrouble(group.tally);
  if (streamGroup !== undefined) refuseTrouble(streamGroup.tally);
  const deltas = group.tally.deltas - atStart.deltas;
  const messages = group.tally.messages - atStart.messages;
  return {
    ...deliveries.result(),
    messageBytes: mean(group.tally.messageBytes - atStart.messageBytes, messages),
    deltas,
    deltaBytes: mean(group.tally.deltaBytes - atStart.deltaBytes, deltas),
    ackBytes: mean(group.tally.ackBytes, group.tally.acks),
    cores: coresUsed,
  };
}

type Timings = Pick<PacedResult, 'sent' | 'delivered' | 'expected' | 'p50Ms' | 'p99Ms' | 'maxMs' | 'p99OfSecondsMs'>;

function watchDeliveries(group: Group, job: PacedJob) {
  const latenciesMs: number[] = [];
  const bySecond: number[][] = [];
  let [firstMeasured, endMeasured] = [Infinity, Infinity];
  let measuredFromMs = 0;
  const deliveries = new Deliveries(group.sockets, job.contentBytes, ({ message, sentAtMs, ms }) => {
    if (message < firstMeasured || message >= endMeasured) return;
    latenciesMs.push(ms);
    (bySecond[Math.floor((sentAtMs - measuredFromMs) / 1_000)] ??= []).push(ms);
  });

  const expected = () => (Math.min(deliveries.count, endMeasured) - firstMeasured) * group.sockets.length;
  return {
    action: {
      everyMs: 1_000 / job.messagesPerSecond,
      dueMs: performance.now(),
      act(dueMs) {
        const sender = deliveries.count % (job.senders ?? group.sockets.length);
        const text = deliveries.next(sender, job.fromDue ? dueMs : performance.now());
        group.sockets[sender]?.send(sendRequest(job.conversationId, text));
      },
    } satisfies Action,
    stop: () => deliveries.stop(),
    measuring(on: boolean): void {
      if (on) [firstMeasured, measuredFromMs] = [deliveries.count, performance.now()];
      else endMeasured = deliveries.count;
    },
    async arrived(withinMs: number): Promise<void> {
      const deadlineMs = performance.now() + withinMs;
      while (latenciesMs.length < expected() && performance.now() < deadlineMs) await sleep(20);
    },
    result: (): Timings => ({
      sent: endMeasured - firstMeasured,
      delivered: latenciesMs.length,
      expected: expected(),
      p50Ms: percentile(latenciesMs, 0.5),
      p99Ms: percentile(latenciesMs, 0.99),
      maxMs: percentile(latenciesMs, 1),
      p99OfSecondsMs: Array.from(bySecond, (second) => percentile(second ?? [], 0.99)),
    }),
  };
}
