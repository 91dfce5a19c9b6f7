import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What the service itself makes at the top of DATA_DIR; the databases with their `-wal`, `-shm` and `-journal`. */
const OWN = /^(?:(?:parley|search)\.db(?:-[a-z]+)?|secrets\.key|service\.lock|admin\.sock|of-several-nodes|files)$/;

/**
 * Takes the rights of other users away from what an older version has left in DATA_DIR (CONFIG-15). What is new has none:
 * main.ts sets the mask. Nothing of another user changes, as the folder of a container's volume, and no file that the
 * service did not make: DATA_DIR may be somebody's home folder by mistake.
 */
export function closeToOthers(dataDir: string): void {
  if (statSync(dataDir).uid !== process.getuid?.()) return;
  const names = readdirSync(dataDir);
  for (const name of names) if (OWN.test(name)) close(join(dataDir, name));
  if (names.every((name) => OWN.test(name))) close(dataDir);
}

function close(path: string): void {
  // A file may vanish meanwhile, as the database's `-wal`; a link leads to what somebody else has set up.
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !found.isSymbolicLink() && found.uid === process.getuid?.() && (found.mode & 0o077) !== 0)
    chmodSync(path, found.mode & 0o700);
}
