import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createWorld } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect } from 'vitest';
import { startStore } from '../../service/start-store.ts';

const PAGE_BYTES = 4_096;
const CHECKPOINT_PAGES = 200;
/** Each writes five pages or more: without checkpoints the log would have ten times its size. */
const MESSAGES = 500;

embeddedTest('PostgreSQL has checkpoints of its own')(
  'STORE-15: a thread of its own copies the write-ahead log, which starts again from its beginning',
  async () => {
    await using world = await createWorld({ startStore, env: { CHECKPOINT_PAGES: String(CHECKPOINT_PAGES) } });
    const { alice } = await world.people('alice');
    const { id: chat_id } = await world.group(alice);
    const log = join(world.dataDir, 'parley.db-wal');
    const grown = statSync(log).size;
    for (let sent = 0; sent < MESSAGES; sent += 10)
      await Promise.all(
        Array.from({ length: 10 }, (_, at) => alice.api.sendMessage({ chat_id, text: `${sent + at}` })),
      );
    for (let sent = 0; sent < MESSAGES; sent += 1) await alice.api.sendMessage({ chat_id, text: `alone ${sent}` });
    expect(statSync(log).size - grown).toBeLessThan(4 * CHECKPOINT_PAGES * PAGE_BYTES);
    expect((await alice.api.getChatHistory({ chat_id, limit: 1 })).items[0]?.content).toBe(`alone ${MESSAGES - 1}`);
  },
  60_000,
);
