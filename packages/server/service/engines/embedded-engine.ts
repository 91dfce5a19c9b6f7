import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { endStep } from '../../core/start-steps.ts';
import { EmbeddedLog } from '../../log/engines/embedded-log.ts';
import { EmbeddedUpkeep } from '../../log/engines/embedded-upkeep.ts';
import { DiskStorage } from '../../files/engines/disk-files.ts';
import { searchFile } from '../../search/engines/index-file.ts';
import { SearchThread } from '../../search/engines/search-thread.ts';
import { AccountTexts, noAccountTexts } from '../../rendering/account-texts.ts';
import { SqliteConnection } from '../../store/engines/sqlite.ts';
import { CommitPosition } from '../../commits/engines/commit-position.ts';
import { DurableReads } from '../../commits/engines/durable-reads.ts';
import { prepareConnection } from '../../commits/engines/sqlite-start.ts';
import type { Engine, EngineOptions } from './engine.ts';

/** The engine of a single process: SQLite in files, written by its own thread. */
export async function openEmbedded(options: EngineOptions): Promise<Engine> {
  const { config, settings, clock, publish, onFault, startStore } = options;
  const { dataDir, checkpointPages } = config;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'parley.db');
  // Open until the store thread is: closing the only connection copies the whole write-ahead log into the database,
  // which after a kill may be 40 MB, and deletes it, so that the store thread would have to make it again (OPS-4).
  using preparing = new DisposableStack();
  const connection = new SqliteConnection(file);
  preparing.defer(() => connection.close());
  const sequence = prepareConnection(connection);
  endStep('database');
  const position = new CommitPosition();
  await using opened = new AsyncDisposableStack();
  const read = new SqliteConnection(file, { readOnly: true, commits: position });
  opened.defer(() => read.close());
  const readNow = options.wrapRead(read);
  const runner = await startStore(
    { file, sequence: sequence.buffer, position: position.buffer, settings, checkpointPages },
    position,
  );
  preparing.dispose();
  opened.defer(() => runner.close());
  const log = new EmbeddedLog(read, sequence, publish, position);
  opened.defer(() => log.close());
  const closers = opened.move();
  return {
    // The log and its upkeep use the connection itself, which answers synchronously (see `EventLog.read`).
    read: options.wrapRead(new DurableReads(read, position)),
    readNow,
    flushed: () => position.whenFlushed(undefined),
    // With reads that a test delays nothing is cached: an answer could arrive long after its account has changed.
    accounts: readNow === read ? new AccountTexts({ clock }) : noAccountTexts,
    log,
    runner,
    upkeep: (units) => new EmbeddedUpkeep({ read, log, settings, units, clock }),
    async openSearch(units) {
      const search = new SearchThread(
        {
          databaseFile: file,
          indexFile: searchFile(dataDir),
          position: position.buffer,
          withFiles: settings.fileSearch,
        },
        {
          clock,
          // The index contains these changes. If forgetting them fails, they are indexed again, which does no harm.
          onTended: (tended) => void units.forgetSearchChanges(tended).catch(() => {}),
          onFault: (error) => onFault(error, 'the search index failed'),
        },
      );
      closers.defer(() => search.close());
      return search;
    },
    storage: new DiskStorage(join(dataDir, 'files', 'stored')),
    shared: null,
    isReady: () => true,
    close: () => closers.disposeAsync(),
  };
}
