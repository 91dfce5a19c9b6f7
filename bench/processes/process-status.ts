import { readdirSync, readFileSync } from 'node:fs';

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

/** Processor time of the processes of this name that this one has started, and of those that they have. */
export function cpuSecondsOfOwn(name: string): number {
  const found = readdirSync('/proc').flatMap((entry) => {
    const stat = /^\d+$/.test(entry) ? procFile(Number(entry), 'stat') : undefined;
    if (stat === undefined) return [];
    const [, comm = '', parent = ''] = /\((.*)\) \S (\d+)/s.exec(stat) ?? [];
    return [{ pid: Number(entry), parent: Number(parent), comm }];
  });
  const below = (pid: number): typeof found =>
    found.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return below(process.pid)
    .filter(({ comm }) => comm === name)
    .reduce((sum, { pid }) => sum + (cpuSecondsOf(pid) ?? 0), 0);
}

/** Resident memory. */
export function residentKibOf(pid: number): number | undefined {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(procFile(pid, 'status') ?? '');
  return line?.[1] === undefined ? undefined : Number(line[1]);
}
