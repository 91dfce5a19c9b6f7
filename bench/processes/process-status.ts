import { readFileSync } from 'node:fs';

/** What Linux tells of a process; undefined elsewhere, and of a process that is gone. */
function procFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return undefined;
  }
}

const clockTicksPerSecond = 100;

/** Processor time of all threads, user and system. */
export function cpuSecondsOf(pid: number): number | undefined {
  const stat = procFile(pid, 'stat');
  if (stat === undefined) return undefined;
  // Fields are counted behind the process's name, which is in brackets and may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond;
}

/** Resident memory. */
export function residentKibOf(pid: number): number | undefined {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(procFile(pid, 'status') ?? '');
  return line?.[1] === undefined ? undefined : Number(line[1]);
}
