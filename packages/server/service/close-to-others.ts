import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files that the service creates in DATA_DIR; the databases with their `-wal`, `-shm` and `-journal`, the key also as
 * `secrets.key-PID` while it is written. */
const OWN =
  /^(?:(?:parley|search)\.db(?:-[a-z]+)?|secrets\.key(?:-\d+)?|service\.lock|admin\.sock|of-several-nodes|files)$/;

/**
 * Removes other users' access to what an older version left in DATA_DIR (CONFIG-15); new files are private, as main.ts
 * sets the umask. Files of another user, such as a container's volume, are left alone, and so are files that
 * the service did not create: DATA_DIR may be a home folder by mistake.
 */
export function closeToOthers(dataDir: string): void {
  if (statSync(dataDir).uid !== process.getuid?.()) return;
  const names = readdirSync(dataDir);
  for (const name of names) if (OWN.test(name)) close(join(dataDir, name));
  if (names.every((name) => OWN.test(name))) close(dataDir);
}

function close(path: string): void {
  // A file such as the database's `-wal` may disappear in the meantime. Links are left alone: the operator made them.
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !found.isSymbolicLink() && found.uid === process.getuid?.() && (found.mode & 0o077) !== 0)
    chmodSync(path, found.mode & 0o700);
}
