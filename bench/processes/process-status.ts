import { readdirSync, readFileSync } from 'node:fs';

/** A file of Linux's /proc; undefined on other systems and for a process that has ended. */
function procFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return undefined;
  }
}

const clockTicksPerSecond = 100;

/** CPU time of all threads, user and system. */
export function cpuSecondsOf(pid: number): number | undefined {
  const stat = procFile(pid, 'stat');
  if (stat === undefined) return undefined;
  // Fields are counted after the process name, which is in parentheses and can contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond;
}

/** CPU time of processes with this name among the descendants of this process. */
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
