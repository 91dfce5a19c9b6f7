import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedLog } from '../../log/engines/embedded-log.ts';
import { EmbeddedUpkeep } from '../../log/engines/embedded-upkeep.ts';
import { DiskStorage } from '../../files/engines/disk-files.ts';
import { searchFile } from '../../search/engines/index-file.ts';
import { SearchThread } from '../../search/engines/search-thread.ts';
import { AccountTexts, noAccountTexts } from '../../store/account-texts.ts';
import { SqliteConnection } from '../../store/engines/sqlite.ts';
import { prepareDatabase } from '../../commits/engines/sqlite-start.ts';
import type { Engine, EnginePorts } from './engine.ts';

/** The engine of a single process: SQLite in files, written by its own thread. */
export async function openEmbedded(ports: EnginePorts): Promise<Engine> {
  const { config, settings, clock, publish, onFault, startStore } = ports;
  const { dataDir, checkpointPages } = config;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'parley.db');
  const sequence = prepareDatabase(file);
  const read = new SqliteConnection(file, { readOnly: true });
  const wrapped = ports.wrapRead(read);
  const runner = await startStore({ file, sequence: sequence.buffer, settings, checkpointPages });
  const log = new EmbeddedLog(read, sequence, publish);
  let search: SearchThread | null = null;
  return {
    // Operations use the wrapped connection; the log and its upkeep use the original, which answers synchronously.
    read: wrapped,
    // With delayed reads nothing is cached: an answer could arrive after its account has changed.
    accounts: wrapped === read ? new AccountTexts() : noAccountTexts,
    log,
    runner,
    upkeep: (units) => new EmbeddedUpkeep({ read, log, settings, units }),
    async openSearch(units) {
      search = new SearchThread(
        { databaseFile: file, indexFile: searchFile(dataDir) },
        {
          clock,
          // The index contains these changes. If forgetting them fails, they are indexed again, which does no harm.
          onTended: (changes) => void units.forgetSearchChanges({ before: changes }).catch(() => {}),
          onFault: (error) => onFault(error, 'the search index failed'),
        },
      );
      return search;
    },
    storage: new DiskStorage(join(dataDir, 'files', 'stored')),
    shared: null,
    isReady: () => true,
    async close() {
      await search?.close();
      read.close();
    },
  };
}
