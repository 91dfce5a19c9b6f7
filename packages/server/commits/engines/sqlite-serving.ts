import type { MessagePort } from 'node:worker_threads';
import { thisThread } from '../../core/held-thread.ts';
import { reach, unitPoints } from '../../core/unit-points.ts';
import { CHECKPOINT_PAGES, SqliteConnection } from '../../store/engines/sqlite.ts';
import { Sequence } from '../sequence.ts';
import type { UnitHandler } from '../unit-context.ts';
import type { UnitRequest } from '../unit-runner.ts';
import { decodeRequests, encodeBatch, type EncodedRequests } from './batch-codec.ts';
import { CommitFlush, type FlushHere } from './commit-flush.ts';
import { CommitPosition } from './commit-position.ts';
import type { CommittedBatch, StoreThreadOptions } from './sqlite-thread.ts';
import { SqliteUnits } from './sqlite-units.ts';
import { copyLog } from './wal-checkpoints.ts';

const idsOf = (requests: readonly UnitRequest[]): number[] => requests.map(({ id }) => id);

/** Maximum units per commit: more would lengthen every caller's wait without saving much. */
const BATCH = 64;

/**
 * Runs the units that arrive over a port, on one database file, until the port sends 'close'. Other threads that flush
 * and checkpoint share the CommitPosition; with `flushes` that is `always`, this thread does both.
 */
export function serveUnits(
  port: MessagePort,
  options: StoreThreadOptions,
  handlers: ReadonlyMap<string, UnitHandler>,
  flushes: FlushHere | null = null,
): void {
  const { file, checkpointPages = CHECKPOINT_PAGES } = options;
  const connection = new SqliteConnection(file, {
    checkpointPages,
    checkpoints: flushes?.when === 'always',
    flushes: false,
  });
  const sequence = new Sequence(options.sequence);
  const position = new CommitPosition(options.position);
  const flush = new CommitFlush(position, flushes);
  const units = new SqliteUnits(connection, sequence, options.settings, handlers, flush);

  let queue: UnitRequest[] = [];
  let draining = false;
  let closing = false;

  port.on('message', (message: EncodedRequests | 'close') => {
    if (message === 'close') closing = true;
    else take(thisThread.run('batch', () => decodeRequests(message)));
    if (!draining) {
      draining = true;
      setImmediate(() => void drain());
    }
  });

  function take(requests: readonly UnitRequest[]): void {
    if (unitPoints.hasSubscribers) reach({ point: 'arrived', ids: idsOf(requests) });
    queue.push(...requests);
  }

  async function drain(): Promise<void> {
    if (queue.length > 0) {
      const batch = queue.slice(0, BATCH);
      queue = queue.slice(BATCH);
      if (unitPoints.hasSubscribers) reach({ point: 'taken', ids: idsOf(batch) });
      const done = await units.run(batch);
      flush.flush(batch.length === 1 && queue.length === 0);
      thisThread.run('batch', () => port.postMessage([position.begun, encodeBatch(done)] satisfies CommittedBatch));
      if (position.takeRest()) thisThread.run('commit', () => copyLog(connection));
    }
    if (queue.length > 0) setImmediate(() => void drain());
    else {
      draining = false;
      if (closing) {
        position.waitUntilFlushed();
        connection.close();
        unlisten();
        port.close();
      }
    }
  }

  port.postMessage('ready');
  // The other rooms open meanwhile; the first units wait for it.
  if (options.growsLog ?? true) connection.growLog();
  // The start itself holds the thread (OPS-7).
  const unlisten = thisThread.listen((held) => port.postMessage(held), { isNamed: true });
}
