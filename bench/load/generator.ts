import { flood } from './flood.ts';
import { connect, drop, groupNamed, storm } from './groups.ts';
import { grow } from './grow.ts';
import { httpFlood } from './http-flood.ts';
import type { JobName, JobParams, JobReply, JobRequest, JobResult } from './jobs.ts';
import { paced } from './paced.ts';
import { comeBack, gather } from './returning.ts';
import { timedFlood } from './timed-flood.ts';

const jobs: { [Name in JobName]: (params: JobParams<Name>) => Promise<JobResult<Name>> } = {
  connect,
  flood,
  timedFlood,
  httpFlood,
  paced,
  grow,
  storm,
  gather,
  comeBack,
  drop: async (job) => ({ dropped: drop(job.group) }),
  tally: async (job) => groupNamed(job.group).tally,
};

async function run<Name extends JobName>(request: JobRequest<Name>): Promise<JobReply<Name>> {
  try {
    return { id: request.id, result: await jobs[request.name](request.params) };
  } catch (error) {
    return { id: request.id, error: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (request: JobRequest) => {
  void run(request).then((reply) => process.send?.(reply));
});
// The generator ends with its benchmark.
process.on('disconnect', () => process.exit());
