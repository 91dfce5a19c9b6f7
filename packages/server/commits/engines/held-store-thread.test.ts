import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { burn } from '@parley/testing/clocks/burn.ts';
import { expect, test } from 'vitest';
import { theService } from '../../calls/unit-queue.ts';
import { UNNAMED } from '../../core/held-thread.ts';
import { defaultSettings } from '../../core/settings.ts';
import type { UnitHandler } from '../unit-context.ts';
import { CommitPosition } from './commit-position.ts';
import { serveUnits } from './sqlite-serving.ts';
import { prepareDatabase } from './sqlite-start.ts';
import { postUnits } from './sqlite-thread.ts';

test('OPS-7: a unit that held the thread of the store is reported with its name, other units of its batch are not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-held-'));
  const file = join(folder, 'parley.db');
  const position = new CommitPosition();
  const sequence = prepareDatabase(file);
  const { port1, port2 } = new MessageChannel();
  const units = new Map<string, UnitHandler>([
    ['quick', async () => 'done'],
    [
      'slow',
      async () => {
        await Promise.resolve();
        burn(60);
        return 'done';
      },
    ],
  ]);
  const options = { file, sequence: sequence.buffer, position: position.buffer, settings: defaultSettings };
  serveUnits(port2, { ...options, growsLog: false }, units, { run: () => {}, when: 'always' });
  const runner = await postUnits(port1, 'close', position);
  const names: string[] = [];
  runner.onHeld = ({ name }) => names.push(name);
  let outcomes = 0;
  runner.onBatch = (batch) => (outcomes += batch.outcomes.filter(({ ok }) => ok).length);
  const request = (name: string, id: number) => ({ id, name, caller: theService, input: {}, now: 1_000 });
  runner.post([request('quick', 1), request('slow', 2), request('quick', 3)]);
  await runner.close();
  expect(outcomes).toBe(3);
  // The store has this thread, in which what the test itself did may have taken long too.
  expect(names.filter((name) => name !== UNNAMED)).toEqual(['slow']);
  rmSync(folder, { recursive: true });
});
