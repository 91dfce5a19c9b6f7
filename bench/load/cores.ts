import { cpuSecondsOf } from '../processes/process-status.ts';
import type { Cores } from './jobs.ts';

/** Starts to measure how busy generator and server are; the returned function gives the values since then. */
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
