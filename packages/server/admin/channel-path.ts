import { hash } from 'node:crypto';
import { join, relative } from 'node:path';

/** Where a running service listens for the admin command. */
export function channelPath(dataDir: string): string {
  // Windows has pipes by name in the place of sockets by path; others may read such a name, but not open it to write.
  if (process.platform === 'win32') return `\\\\.\\pipe\\parley-${hash('sha256', dataDir).slice(0, 32)}`;
  const path = join(dataDir, 'admin.sock');
  // A socket's path has about a hundred bytes at most: from where the process stands the way may be shorter.
  const near = relative(process.cwd(), path);
  return near.length < path.length ? near : path;
}
