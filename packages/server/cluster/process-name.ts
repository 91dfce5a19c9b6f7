import { hostname } from 'node:os';

/** The name of this process among the nodes: its host and its number there. */
export const processName = (): string => `${hostname()} ${process.pid}`;

/**
 * Whether the process of this name ran on this machine and has ended. Hosts may share a name: it is only asked about
 * nodes that have no connection left. A container that was started again has its former name and number.
 */
export function hasEnded(name: string): boolean {
  const [host, digits] = name.split(' ');
  const pid = Number(digits);
  if (host !== hostname() || !Number.isInteger(pid)) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
