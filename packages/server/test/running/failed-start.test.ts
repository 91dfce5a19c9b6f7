import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeCluster } from '@parley/testing/contracts/tested-engine.ts';
import { postgresForTests } from '@parley/testing/servers/postgres.ts';
import { redisForTests } from '@parley/testing/servers/redis.ts';
import { countHandles, leakedHandles } from '@parley/testing/world/open-handles.ts';
import { expect, test } from 'vitest';
import { startInProcess } from '../../in-process.ts';
import { PostgresConnection } from '../../store/engines/postgres.ts';
import { statement } from '../../store/sql.ts';

/** Starts a service that cannot create its folder for uploads, which fails late, then starts it again when it can. */
async function startTwice(env: Readonly<Record<string, string>>, between: () => Promise<void> = async () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-failed-start-'));
  const start = async () => startInProcess({ ...env, PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent' });
  const handles = countHandles();
  try {
    const uploads = join(folder, 'files');
    writeFileSync(uploads, 'no folder');
    await expect(start()).rejects.toThrow(/ENOTDIR/);
    expect(await leakedHandles(handles)).toEqual([]);
    await between();
    rmSync(uploads);
    const { url, stop } = await start();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await stop();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test(
  'TESTKIT-5: a start that fails leaves no thread and no lock, and the folder can be used again at once',
  { tags: ['long'] },
  async () => {
    await startTwice({});
  },
);

describeCluster('Several nodes', () => {
  test('TESTKIT-5: a node whose start fails leaves no connection, and no row that counts it as alive', async () => {
    const [databases, redis] = await Promise.all([postgresForTests(), redisForTests()]);
    const { url, drop } = await databases.createDatabase();
    const env = { DATABASE_URL: url, REDIS_URL: redis, SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') };
    try {
      await startTwice(env, async () => {
        const connection = await PostgresConnection.open({ url });
        expect(await connection.all(statement('SELECT key FROM nodes'))).toEqual([]);
        await connection.close();
      });
    } finally {
      await drop();
    }
  });
});
