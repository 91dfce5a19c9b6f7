import { cpuSecondsOf } from '../processes/process-status.ts';
import type { Cores } from './jobs.ts';

/** Begins to watch how busy generator and server are; the function it returns tells it for the time since. */
export function watchCores(serverPid: number): () => Cores {
  const startMs = performance.now();
  const ownStart = process.cpuUsage();
  const serverStart = cpuSecondsOf(serverPid);
  return () => {
    const seconds = (performance.now() - startMs) / 1_000;
    const own = process.cpuUsage(ownStart);
    const serverEnd = cpuSecondsOf(serverPid);
    return {
      generator: (own.user + own.system) / 1e6 / seconds,
      server: serverStart === undefined || serverEnd === undefined ? undefined : (serverEnd - serverStart) / seconds,
    };
  };
}
