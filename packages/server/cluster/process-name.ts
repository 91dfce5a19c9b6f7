import { hostname } from 'node:os';

/** The name of this process among the nodes: its host and its process id. */
export const processName = (): string => `${hostname()} ${process.pid}`;

/**
 * Whether the process of this name ran on this machine and has ended. Hosts may share a name, so callers check only
 * nodes without any connection. A container that was restarted has the same name and process id as before.
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
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
