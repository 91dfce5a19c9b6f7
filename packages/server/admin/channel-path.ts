import { hash } from 'node:crypto';
import { join, relative } from 'node:path';

/** The address on which a running service listens for the admin command. */
export function channelPath(dataDir: string): string {
  // Windows has named pipes instead of socket files; other users may list such a pipe, but not open it for writing.
  if (process.platform === 'win32') return `\\\\.\\pipe\\parley-${hash('sha256', dataDir).slice(0, 32)}`;
  const path = join(dataDir, 'admin.sock');
  // A socket path is limited to about 100 bytes; the path relative to the working directory may be shorter.
  const near = relative(process.cwd(), path);
  return near.length < path.length ? near : path;
}
