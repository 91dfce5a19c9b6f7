import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Worlds keep their data in memory where they can: their tests wait for thousands of commits, none of which has to
// survive a power cut. Tests of durability start processes with folders of their own.

const MEMORY = '/dev/shm';
/** Minimum free space in MEMORY: a container often has only 64 MiB there, too little for many worlds. */
const MIN_FREE_BYTES = 2 * 1024 ** 3;
const VARIABLE = 'PARLEY_FAST_FOLDER';

/** Makes the folder for one run of tests. Returns what removes it. */
export function makeFastFolder(): () => void {
  if (!hasRoom()) return () => undefined;
  const folder = mkdtempSync(join(MEMORY, 'parley-tests-'));
  process.env[VARIABLE] = folder;
  return () => {
    delete process.env[VARIABLE];
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Where the data of a world goes: in memory during a run of tests, otherwise the system's temporary folder. */
export const fastFolder = (): string => process.env[VARIABLE] ?? tmpdir();

function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MIN_FREE_BYTES;
}
