import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const existing = new Set<string>();

/** A fresh directory for one service's data; `TMPDIR` says on which disk. */
export async function newDataDir(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-bench-'));
  existing.add(dataDir);
  return dataDir;
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true });
  existing.delete(dataDir);
}

/** For the last moment of a benchmark that was interrupted, when its servers are gone. */
export function removeAllDataDirs(): void {
  for (const dataDir of existing) rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
