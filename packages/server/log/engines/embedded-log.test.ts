import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logContract, type LogUnderTest } from '@parley/testing/contracts/log-contract.ts';
import { SteeredStore } from '@parley/testing/stores/steered-store.ts';
import type { Emitted } from '../../commits/effects.ts';
import { defaultSettings } from '../../core/settings.ts';
import { SqliteConnection } from '../../store/engines/sqlite.ts';
import { prepareDatabase } from '../../commits/engines/sqlite-start.ts';
import type { UnitHandler } from '../../commits/unit-context.ts';
import { theService, UnitQueue } from '../../calls/unit-queue.ts';
import { indexEvents, trimLog } from '../log-units.ts';
import type { PublishedEvent } from '../event-log.ts';
import { EmbeddedLog } from './embedded-log.ts';

const handlers = new Map<string, UnitHandler>([
  ['emit', (call, input) => (input as Emitted[]).forEach((event) => call.emit(event))], // as this test posts it
  // The tests post these units with matching inputs.
  ['indexEvents', indexEvents as UnitHandler],
  ['trimLog', trimLog as UnitHandler],
]);

async function open(): Promise<LogUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-log-'));
  const file = join(folder, 'parley.db');
  const start = async () => {
    const sequence = prepareDatabase(file);
    const read = new SqliteConnection(file, { readOnly: true });
    const runner = await new SteeredStore(handlers).start({
      file,
      sequence: sequence.buffer,
      settings: defaultSettings,
    });
    const published: PublishedEvent[] = [];
    const log = new EmbeddedLog(read, sequence, (event) => published.push(event));
    const units = new UnitQueue(runner, {
      log,
      onFault: (fault) => {
        throw new Error(fault);
      },
    });
    const run = (name: string, input: unknown) => units.run(name, theService, input, 1_000);
    // An empty unit brings the first numbers, as at the start of the service.
    await run('emit', []);
    return { read, log, units, published, run };
  };
  let engine = await start();
  const end = async () => {
    await engine.units.close();
    engine.read.close();
  };
  const index = async () => {
    const { log, run } = engine;
    const { through } = log.unindexed;
    await run('indexEvents', { after: log.indexedThrough, through });
    log.indexed(through);
  };
  return {
    get log() {
      return engine.log;
    },
    get published() {
      return engine.published;
    },
    commit: async (...units) => void (await Promise.all(units.map((events) => engine.run('emit', events)))),
    index,
    async trim(through) {
      await index();
      engine.log.keptFrom = through + 1;
      await engine.run('trimLog', { through });
    },
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

logContract('The embedded log', open);
