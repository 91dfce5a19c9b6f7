import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SteeredStore } from '@parley/testing/stores/steered-store.ts';
import { contractUnits, unitsContract, type UnitsUnderTest } from '@parley/testing/contracts/units-contract.ts';
import { expect, test } from 'vitest';
import type { Sequence } from '../sequence.ts';
import { defaultSettings } from '../../core/settings.ts';
import { theService } from '../../calls/unit-queue.ts';
import type { Batch } from '../unit-runner.ts';
import { SqliteConnection } from '../../store/engines/sqlite.ts';
import { prepareDatabase } from './sqlite-start.ts';

async function open(): Promise<UnitsUnderTest & { readonly sequence: Sequence }> {
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
    want: (count) => void (engine.sequence.wanted = count),
    takeTransient: () => engine.sequence.takeIfIdle(engine.sequence.taken, 1),
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

const work = (id: number, name: string) => ({
  id,
  name: 'work',
  caller: theService,
  input: { rows: [name] },
  now: 1_000,
});

test('LOG-2: a batch whose COMMIT fails grants no number above the reserved ones', async () => {
  const units = await open();
  await units.run([work(1, 'a')]);
  const { sequence } = units;
  sequence.wanted = 3;
  await units.failCommits(true);
  const granted = async () => (await units.run([work(2, 'b')])).granted;
  expect(await granted()).toBe(3);
  sequence.take(sequence.reserved - sequence.taken - 2);
  expect(await granted()).toBe(0);
  await units.failCommits(false);
  const batch = await units.run([work(3, 'b')]);
  expect(batch.granted).toBe(3);
  expect(batch.firstGranted + 2).toBeLessThanOrEqual(sequence.reserved);
  expect(sequence.reserved).toBeGreaterThan(sequence.taken);
  await units.close();
});
