import type { MessagePort } from 'node:worker_threads';
import { CHECKPOINT_PAGES, SqliteConnection } from '../../store/engines/sqlite.ts';
import { Sequence } from '../sequence.ts';
import type { UnitHandler } from '../unit-context.ts';
import type { UnitRequest } from '../unit-runner.ts';
import { encodeBatch } from './batch-codec.ts';
import type { StoreThreadOptions } from './sqlite-thread.ts';
import { SqliteUnits } from './sqlite-units.ts';

/** Maximum units per commit: more would lengthen every caller's wait without saving much. */
const BATCH = 64;

/** Runs the units that arrive over a port, on one database file, until the port sends 'close'. */
export function serveUnits(
  port: MessagePort,
  options: StoreThreadOptions,
  handlers: ReadonlyMap<string, UnitHandler>,
): void {
  const { file, checkpointPages = CHECKPOINT_PAGES } = options;
  const connection = new SqliteConnection(file, { checkpointPages });
  if (options.growsLog ?? true) connection.growLog();
  const units = new SqliteUnits(connection, new Sequence(options.sequence), options.settings, handlers);

  let queue: UnitRequest[] = [];
  let draining = false;
  let closing = false;

  port.on('message', (message: UnitRequest[] | 'close') => {
    if (message === 'close') closing = true;
    else if (queue.length === 0) queue = message;
    else queue.push(...message);
    if (!draining) {
      draining = true;
      setImmediate(() => void drain());
    }
  });

  async function drain(): Promise<void> {
    if (queue.length > 0) {
      const batch = queue.slice(0, BATCH);
      queue = queue.slice(BATCH);
      port.postMessage(encodeBatch(await units.run(batch)));
    }
    if (queue.length > 0) setImmediate(() => void drain());
    else {
      draining = false;
      if (closing) {
        connection.close();
        port.close();
      }
    }
  }

  port.postMessage('ready');
}
