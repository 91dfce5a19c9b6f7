import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../statistics.ts';
import { watchCores } from './cores.ts';
import { mean, refuseTrouble } from './flood.ts';
import { groupNamed } from './groups.ts';
import type { Group } from './groups.ts';
import type { PacedJob, PacedResult } from './jobs.ts';
import { appendRequest, sendRequest } from './request-frames.ts';

const lateDeliveriesMs = 3_000;
const numberDigits = 8;
/** The text of a paced message: a mark, its number, padding. Frames are searched for the bytes of the mark. */
const mark = Buffer.from('"content":"#');

interface Action {
  everyMs: number;
  dueMs: number;
  act(): void;
}

export async function paced(job: PacedJob): Promise<PacedResult> {
  const group = groupNamed(job.group);
  const deliveries = watchDeliveries(group, job);
  const streamGroup = job.streams === undefined ? undefined : groupNamed(job.streams.group);
  const atStart = { ...group.tally };

  const stopAll = repeat([deliveries.action, ...streamActions(job, streamGroup)]);
  await sleep(job.warmUpSeconds * 1_000);
  const cores = watchCores(job.serverPid);
  deliveries.measuring(true);
  await sleep(job.seconds * 1_000);
  deliveries.measuring(false);
  const coresUsed = cores();
  stopAll();
  await deliveries.arrived(lateDeliveriesMs);

  for (const socket of group.sockets) socket.onMessage = undefined;
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
  const capacity = Math.ceil((job.warmUpSeconds + job.seconds + 5) * job.messagesPerSecond);
  const sentAtMs = new Float64Array(capacity);
  const latenciesMs: number[] = [];
  const bySecond: number[][] = [];
  const filling = 'x'.repeat(Math.max(0, job.contentBytes - numberDigits - 2));
  let number = 0;
  let [firstMeasured, endMeasured] = [Infinity, Infinity];
  let measuredFromMs = 0;

  for (const socket of group.sockets) {
    socket.onMessage = (buffer, at, payloadBytes) => {
      const found = buffer.indexOf(mark, at);
      if (found < 0 || found > at + payloadBytes) return;
      const from = found + mark.length;
      const arrived = Number(buffer.toString('latin1', from, from + numberDigits));
      if (arrived < firstMeasured || arrived >= endMeasured) return;
      const sentAt = sentAtMs[arrived] ?? 0;
      const latencyMs = performance.now() - sentAt;
      latenciesMs.push(latencyMs);
      (bySecond[Math.floor((sentAt - measuredFromMs) / 1_000)] ??= []).push(latencyMs);
    };
  }

  const expected = () => (Math.min(number, endMeasured) - firstMeasured) * group.sockets.length;
  return {
    action: {
      everyMs: 1_000 / job.messagesPerSecond,
      dueMs: performance.now(),
      act() {
        if (number >= capacity) return;
        const text = `#${String(number).padStart(numberDigits, '0')} ${filling}`;
        const frame = sendRequest(job.conversationId, text);
        sentAtMs[number] = performance.now();
        group.sockets[number % group.sockets.length]?.send(frame);
        number++;
      },
    } satisfies Action,
    measuring(on: boolean): void {
      if (on) [firstMeasured, measuredFromMs] = [number, performance.now()];
      else endMeasured = number;
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

/** One action per open stream, with phases spread evenly over the token interval. */
function streamActions(job: PacedJob, group: Group | undefined): Action[] {
  const { streams } = job;
  if (streams === undefined || group === undefined) return [];
  const everyMs = 1_000 / streams.tokensPerSecond;
  const all = streams.bySocket.flatMap((ids, socket) => ids.map((id) => ({ id, socket })));
  return all.map(({ id, socket }, index) => ({
    everyMs,
    dueMs: performance.now() + (everyMs * index) / all.length,
    act: () => group.sockets[socket]?.send(appendRequest(id, streams.token)),
  }));
}

/** Runs each action at its rate; a late action catches up. */
function repeat(actions: Action[]): () => void {
  const timer = setInterval(() => {
    const now = performance.now();
    for (const action of actions) {
      while (action.dueMs <= now) {
        action.dueMs += action.everyMs;
        action.act();
      }
    }
  }, 1);
  return () => clearInterval(timer);
}
