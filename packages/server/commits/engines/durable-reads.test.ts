import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { contractUnits } from '@parley/testing/contracts/units-contract.ts';
import { expect, test } from 'vitest';
import { theService } from '../../calls/unit-queue.ts';
import { defaultSettings } from '../../core/settings.ts';
import { SqliteConnection } from '../../store/engines/sqlite.ts';
import { getMeta } from '../../store/log.ts';
import type { Batch } from '../unit-runner.ts';
import { CommitPosition } from './commit-position.ts';
import { DurableReads } from './durable-reads.ts';
import { serveUnits } from './sqlite-serving.ts';
import { prepareDatabase } from './sqlite-start.ts';
import { postUnits } from './sqlite-thread.ts';

const request = (id: number, rows: string[], fail?: string) => ({
  id,
  name: 'work',
  caller: theService,
  input: { rows, fail },
  now: 1_000,
});

/** A store in this thread, whose flush thread is the test. */
async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-durable-'));
  const file = join(folder, 'parley.db');
  const position = new CommitPosition();
  const sequence = prepareDatabase(file);
  const { port1, port2 } = new MessageChannel();
  const options = { file, sequence: sequence.buffer, position: position.buffer, settings: defaultSettings };
  serveUnits(port2, { ...options, growsLog: false }, contractUnits);
  const flusher = new MessageChannel();
  const runner = await postUnits(port1, 'close', position, flusher.port1);
  const connection = new SqliteConnection(file, { readOnly: true });
  const batches: Batch[] = [];
  runner.onBatch = (batch) => void batches.push(batch);
  return {
    runner,
    position,
    batches,
    sequence,
    seen: (name: string) => connection.get(getMeta, name)?.value,
    reads: new DurableReads(connection, position),
    /** Ends the flush that the store waits for. */
    async flushed() {
      position.settle(position.begun);
      flusher.port2.postMessage('flushed');
      await turnOfLoop();
    },
    async [Symbol.asyncDispose]() {
      position.settle(position.begun);
      await runner.close();
      flusher.port1.close();
      connection.close();
      rmSync(folder, { recursive: true });
    },
  };
}

test('STORE-13: a batch is handed over and its rows are shown when its commit has been flushed, not before', async () => {
  await using store = await open();
  const { runner, position, batches, reads } = store;
  expect(reads.get(getMeta, 'a')).toBeUndefined();
  runner.post([request(1, ['a'])]);
  while (store.seen('a') === undefined) await turnOfLoop();
  for (let turn = 0; turn < 20; turn += 1) await turnOfLoop();
  // Other connections see the commit; the service must not show it yet.
  expect([position.begun, position.flushed, batches.length]).toEqual([1, 0, 0]);
  const reading = reads.get(getMeta, 'a');
  const other = reads.all(getMeta, 'b');
  expect([reading, other]).toEqual([expect.any(Promise), expect.any(Promise)]);
  let shown: unknown = 'nothing';
  void Promise.resolve(reading).then((row) => (shown = row));
  for (let turn = 0; turn < 20; turn += 1) await turnOfLoop();
  expect(shown).toBe('nothing');
  await store.flushed();
  expect([await reading, await other]).toEqual([{ value: 'row' }, []]);
  expect(batches).toHaveLength(1);
  // Nothing is being flushed: reads answer at once.
  expect(reads.get(getMeta, 'a')).toEqual({ value: 'row' });
});

test('STORE-13: a batch that wrote nothing waits only for the flush of the previous commit', async () => {
  await using store = await open();
  const { runner, position, batches } = store;
  runner.post([request(1, ['a'])]);
  while (position.begun === 0) await turnOfLoop();
  // The reason of the refusal may be a row of the previous commit.
  runner.post([request(2, [], 'refused')]);
  for (let turn = 0; turn < 20; turn += 1) await turnOfLoop();
  expect(batches).toEqual([]);
  await store.flushed();
  expect(batches).toHaveLength(2);
  runner.post([request(3, [], 'refused')]);
  while (batches.length < 3) await turnOfLoop();
  expect([position.begun, position.isFlushed]).toEqual([1, true]);
});

test('LOG-2, STORE-13: numbers are used only when their reservation is on disk', async () => {
  await using store = await open();
  const { runner, sequence, position } = store;
  // More than half of what is reserved is used, so the next batch reserves more.
  sequence.take(600_000);
  const before = sequence.reserved;
  runner.post([request(1, ['a'])]);
  while (position.begun === 0 || store.seen('a') === undefined) await turnOfLoop();
  expect(sequence.reserved).toBe(before);
  await store.flushed();
  runner.post([request(2, ['b'])]);
  while (store.seen('b') === undefined) await turnOfLoop();
  expect(sequence.reserved).toBeGreaterThan(before);
});
