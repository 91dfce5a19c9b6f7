import { setTimeout as sleep } from 'node:timers/promises';
import { watchCores } from './cores.ts';
import { mean } from './flood.ts';
import { groupNamed } from './groups.ts';
import type { GrowJob, GrowResult } from './jobs.ts';
import { refuseTrouble } from './raw-socket.ts';
import { repeat } from './repeat.ts';
import { tokens } from './tokens.ts';

export async function grow(job: GrowJob): Promise<GrowResult> {
  const group = groupNamed(job.group);
  const counted = groupNamed(job.counted).tally;
  const stop = repeat(tokens(group, job));
  await sleep(job.warmUpSeconds * 1_000);
  const from = { ...counted, acks: group.tally.acks };
  const startMs = performance.now();
  const cores = watchCores(job.serverPid);
  await sleep(job.seconds * 1_000);
  const frames = counted.deltas - from.deltas;
  const result = {
    seconds: (performance.now() - startMs) / 1_000,
    appends: group.tally.acks - from.acks,
    frames,
    frameBytes: mean(counted.deltaBytes - from.deltaBytes, frames),
    cores: cores(),
  };
  stop();
  for (const tally of new Set([group.tally, counted])) refuseTrouble(tally);
  return result;
}
