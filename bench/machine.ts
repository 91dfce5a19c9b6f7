import { fdatasyncSync, openSync, closeSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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

/** How long the machine is watched before and after a run, and the share of its time that others may use. */
const WATCH_MS = 1_500;
const MAX_BUSY = 0.1;

/** Says how busy other programs keep the processor; undefined if it is quiet enough to measure. */
export async function otherWork(): Promise<string | undefined> {
  const before = processorTimes();
  await sleep(WATCH_MS);
  const after = processorTimes();
  const share = 1 - (after.idle - before.idle) / (after.all - before.all);
  return share > MAX_BUSY ? `other programs use ${Math.round(share * 100)}% of the processor` : undefined;
}

function processorTimes(): { idle: number; all: number } {
  const times = os
    .cpus()
    .map(({ times: { user, nice, sys, irq, idle } }) => ({ idle, all: user + nice + sys + irq + idle }));
  return {
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
    all: times.reduce((sum, { all }) => sum + all, 0),
  };
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
