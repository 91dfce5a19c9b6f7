import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SteeredStore } from '@parley/testing/steered-store.ts';
import { contractUnits, unitsContract, type UnitsUnderTest } from '@parley/testing/units-contract.ts';
import { defaultSettings } from '../../settings.ts';
import type { Batch } from '../../units.ts';
import { SqliteConnection } from './sqlite.ts';
import { prepareDatabase } from './sqlite-start.ts';

async function open(): Promise<UnitsUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-units-'));
  const file = join(folder, 'parley.db');
  const store = new SteeredStore(contractUnits);
  const start = async () => {
    const sequence = prepareDatabase(file);
    return {
      read: new SqliteConnection(file, { readOnly: true }),
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
