import { fdatasyncSync, openSync, closeSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { newDataDir, removeDataDir } from './service/data-dirs.ts';
import { median } from './statistics.ts';

export interface Machine {
  node: string;
  cpu: string;
  cores: number;
  memoryGib: number;
  /** Time of a durable write of 4 KiB on the disk of the services' data: the minimum cost of one COMMIT. */
  syncMs: number | null;
}

const syncs = 100;

export async function describeMachine(): Promise<Machine> {
  return {
    node: process.version,
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGib: Math.round(os.totalmem() / 2 ** 30),
    syncMs: await medianSyncMs(),
  };
}

async function medianSyncMs(): Promise<number | null> {
  const dir = await newDataDir();
  const file = openSync(path.join(dir, 'probe'), 'w');
  const page = Buffer.alloc(4_096, 1);
  const times: number[] = [];
  for (let index = 0; index < syncs; index++) {
    const startMs = performance.now();
    writeSync(file, page);
    fdatasyncSync(file);
    times.push(performance.now() - startMs);
  }
  closeSync(file);
  await removeDataDir(dir);
  const middle = median(times);
  return middle === undefined ? null : Number(middle.toFixed(3));
}
