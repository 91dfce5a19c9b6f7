import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock, type Timer } from '../../core/clock.ts';
import { CommitPosition } from '../../commits/engines/commit-position.ts';
import { SqliteConnection } from '../../store/engines/sqlite.ts';
import type { SearchRequest } from '../message-search.ts';
import { defaultBounds } from './bounds.ts';
import { find } from './find.ts';
import { IndexFile, isDamaged } from './index-file.ts';
import type { FromWorker, SearchThreadOptions, ToWorker } from './search-thread.ts';
import { adopt, lagOf, tendOnce } from './tend.ts';

const port = parentPort;
if (!port) throw new Error('this file must run as a worker thread');
const post = (message: FromWorker) => port.postMessage(message);

/**
 * Maximum lag at which the indexer leaves most of the processor to other work: the messages of a minute at full load.
 */
const SHORT_LAG = 500_000;
/** After each block the indexer pauses for this multiple of the time the block took. */
const REST = 15;

/** By how much this thread is nicer than the others: where no processor is idle, messages come first (SEARCH-13). */
const NICENESS = 5;
// On Linux this is the priority of the thread that calls it; elsewhere it would be that of the process.
if (process.platform === 'linux') setPriority(0, Math.min(getPriority(0) + NICENESS, constants.priority.PRIORITY_LOW));

const options: SearchThreadOptions = workerData;
const database = new SqliteConnection(options.databaseFile, { readOnly: true });
const position = new CommitPosition(options.position);
const bounds = { ...defaultBounds, withFiles: options.withFiles };
const index = new IndexFile(options.indexFile);
// If a power cut took a change back, its number would come again, and the index would take it for done (STORE-13).
index.beforeCommit = () => position.waitUntilFlushed();
adopt(database, index);

/** The budget of a page is time of the processor: a thread that yields to others may wait for it. */
const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

let isTending = false;
let rest: Timer | null = null;
let immediate: NodeJS.Immediate | null = null;

port.on('message', (message: ToWorker) => {
  if (message === 'close') close();
  else if (message === 'tend') {
    if (!isTending) tend();
  } else answer(message.id, message.request);
});

function answer(id: number, request: SearchRequest): void {
  try {
    // The main thread waits for the flush of what was read, once for each call.
    post({ id, found: find(database, index, request, bounds, processorMs) });
  } catch (error) {
    mend(error);
    post({ id, error: describe(error) });
  }
}

/** Indexes one block, and the next in a later tick of the event loop, so that searches run in between. */
function tend(): void {
  isTending = true;
  const since = performance.now();
  try {
    if (!tendOnce(database, index, bounds)) {
      isTending = false;
      const { extent } = index;
      post({ tendedTo: { changes: extent?.changes ?? 0, texts: extent?.files?.changes ?? 0 } });
      return;
    }
  } catch (error) {
    isTending = false;
    mend(error);
    post({ tendError: describe(error) });
    return;
  }
  const pause = lagOf(database, index) > SHORT_LAG ? 0 : (performance.now() - since) * REST;
  if (pause >= 1) rest = systemClock.setTimer(tend, pause);
  else immediate = setImmediate(tend);
}

/** Rebuilds a damaged index: everything in it can be read from the database. */
function mend(error: unknown): void {
  if (!isDamaged(error)) return;
  index.empty();
  adopt(database, index);
}

function close(): void {
  rest?.cancel();
  clearImmediate(immediate ?? undefined);
  index.close();
  database.close();
  port?.close();
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

post('ready');
