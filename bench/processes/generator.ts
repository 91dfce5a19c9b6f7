import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { JobName, JobParams, JobReply, JobRequest, JobResult } from '../load/jobs.ts';
import { keepUntilEnd } from './child.ts';

const jobTimeoutMs = 240_000;
const entry = fileURLToPath(new URL('../load/generator.ts', import.meta.url));

/** The load generator as the benchmark sees it: a separate process that runs jobs. */
export class Generator {
  readonly #child: ChildProcess = fork(entry, { execArgv: [] });
  #lastId = 0;

  constructor() {
    keepUntilEnd(this.#child);
  }

  async run<Name extends JobName>(name: Name, params: JobParams<Name>): Promise<JobResult<Name>> {
    const child = this.#child;
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<JobResult<Name>>();
    const replied = (reply: JobReply<Name>) => {
      if (reply.id !== id) return;
      if ('error' in reply) reject(new Error(reply.error));
      else resolve(reply.result);
    };
    const ended = () => reject(new Error(`the load generator ended in ${name}`));
    const timeout = setTimeout(() => {
      reject(new Error(`the job ${name} took longer than ${jobTimeoutMs / 1_000} s`));
      this.stop();
    }, jobTimeoutMs);
    child.on('message', replied).once('exit', ended);
    try {
      if (!child.connected) throw new Error('the load generator has ended');
      child.send({ id, name, params } satisfies JobRequest<Name>);
      return await promise;
    } finally {
      clearTimeout(timeout);
      child.off('message', replied).off('exit', ended);
    }
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }
}
