import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SteeredStore } from '@parley/testing/steered-store.ts';
import { contractUnits, unitsContract, type UnitsUnderTest } from '@parley/testing/units-contract.ts';
import { Sequence } from '../../events/sequence.ts';
import { defaultSettings } from '../../settings.ts';
import type { Batch } from '../../units.ts';
import { getMeta } from '../log.ts';
import { migrateSqlite } from '../migrate.ts';
import { SqliteConnection } from './sqlite.ts';

async function open(): Promise<UnitsUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-units-'));
  const file = join(folder, 'parley.db');
  const store = new SteeredStore(contractUnits);
  const start = async () => {
    const writer = new SqliteConnection(file);
    migrateSqlite(writer);
    writer.close();
    const read = new SqliteConnection(file, { readOnly: true });
    const reserved = Number(read.get(getMeta, 'seq_reserved')?.value ?? 0);
    const sequence = new Sequence();
    sequence.startAt(reserved);
    sequence.reserved = reserved;
    return {
      read,
      sequence,
      runner: await store.start({ file, sequence: sequence.buffer, settings: defaultSettings }),
    };
  };
  let engine = await start();
  const end = async () => {
    await engine.runner.close();
    engine.read.close();
  };
  return {
    run: (requests) =>
      new Promise<Batch>((resolve) => {
        engine.runner.onBatch = resolve;
        engine.runner.post(requests);
      }),
    get read() {
      return engine.read;
    },
    get sequence() {
      return engine.sequence;
    },
    fillDisk: () => store.fillDisk(),
    freeDisk: () => store.freeDisk(),
    failCommits: (isFailing) => store.failCommits(isFailing),
    async reopen() {
      await end();
      engine = await start();
    },
    async close() {
      await end();
      rmSync(folder, { recursive: true });
    },
  };
}

unitsContract('SQLite', open);
