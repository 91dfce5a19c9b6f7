import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedLog } from '../../log/engines/embedded.ts';
import { EmbeddedUpkeep } from '../../log/engines/embedded-upkeep.ts';
import { DiskStorage } from '../../files/engines/disk.ts';
import { searchFile } from '../../search/engines/index-file.ts';
import { SearchThread } from '../../search/engines/search-thread.ts';
import { SqliteConnection } from '../../store/engines/sqlite.ts';
import { prepareDatabase } from '../../commits/engines/sqlite-start.ts';
import type { Engine, EnginePorts } from './engine.ts';

/** One process with its data in files: SQLite, written by a thread of its own. */
export async function openEmbedded(ports: EnginePorts): Promise<Engine> {
  const { config, settings, clock, publish, units, onFault, startStore } = ports;
  const { dataDir } = config;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'parley.db');
  const sequence = prepareDatabase(file);
  const read = new SqliteConnection(file, { readOnly: true });
  const runner = await startStore({ file, sequence: sequence.buffer, settings });
  const log = new EmbeddedLog(read, sequence, publish);
  const search = new SearchThread(
    { databaseFile: file, indexFile: searchFile(dataDir) },
    {
      clock,
      // Those that the index has may go, also when nobody waits for it any more.
      onTended: (changes) => void units.forgetSearchChanges({ before: changes }).catch(() => {}),
      onFault: (error) => onFault(error, 'the search failed'),
    },
  );
  return {
    // The log and its upkeep have the connection itself, which answers at once.
    read: ports.wrapRead(read),
    log,
    runner,
    upkeep: new EmbeddedUpkeep({ read, log, settings, units }),
    search,
    storage: new DiskStorage(join(dataDir, 'files', 'stored')),
    shared: null,
    isReady: () => true,
    async close() {
      await search.close();
      read.close();
    },
  };
}
