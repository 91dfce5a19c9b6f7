import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const existing = new Set<string>();

/** A fresh directory for one service's data; `TMPDIR` selects the disk. */
export async function newDataDir(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-bench-'));
  existing.add(dataDir);
  return dataDir;
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true });
  existing.delete(dataDir);
}

/** Cleans up when a benchmark is interrupted, after its servers have ended. */
export function removeAllDataDirs(): void {
  for (const dataDir of existing) rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
