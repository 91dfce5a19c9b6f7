import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess } from '@parley/server/in-process.ts';
import { createWorld } from '@parley/testing';
import { needs } from '@parley/testing/programs/needs.ts';
import { use } from '@parley/testing/programs/programs.ts';
import { freePort } from '@parley/testing/servers/free-port.ts';
import { postgresForTests } from '@parley/testing/servers/postgres.ts';
import { redisForTests } from '@parley/testing/servers/redis.ts';
import { expect, test } from 'vitest';
import { started } from './started.ts';

/** PgBouncer in front of a database of its own. */
async function pooler(mode: 'session' | 'transaction') {
  await using opened = new AsyncDisposableStack();
  const database = await (await postgresForTests()).createDatabase();
  opened.defer(database.drop);
  const { hostname, port: postgresPort, username, pathname } = new URL(database.url);
  const folder = opened.use(await mkdtempDisposable(join(tmpdir(), 'parley-pgbouncer-')));
  const port = await freePort();
  const file = join(folder.path, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${postgresPort} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 40
`,
  );
  // It refuses to run as root.
  const args = [file, ...(process.getuid?.() === 0 ? ['-u', 'nobody'] : [])];
  opened.use(await started(use('pgbouncer'), { args, port, folder: folder.path }));
  const all = opened.move();
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    [Symbol.asyncDispose]: async () => all.disposeAsync(),
  };
}

const programs = needs('pgbouncer', 'postgres', 'redis');

test('CLUSTER-1: two nodes behind PgBouncer in session mode', programs, async () => {
  await using bouncer = await pooler('session');
  await using world = await createWorld({ nodes: 2, env: { DATABASE_URL: bouncer.url } });
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const texts = Array.from({ length: 20 }, (_, at) => `message ${at}`);
  await Promise.all(texts.map((text, at) => (at % 2 === 0 ? ann : bob).api.sendMessage({ chat_id, text })));
  await world.restart();
  const { items } = await ann.api.getChatHistory({ chat_id });
  expect(items.map(({ content }) => content)).toEqual(expect.arrayContaining(texts));
});

test('STORE-19: a node does not start behind PgBouncer in transaction mode, and says why', programs, async () => {
  await using bouncer = await pooler('transaction');
  const REDIS_URL = await redisForTests();
  const env = { DATABASE_URL: bouncer.url, REDIS_URL, SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') };
  // Also the second time, when sessions hold what a first start has left in them.
  for (let times = 0; times < 2; times += 1) {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'parley-pgbouncer-'));
    const start = startInProcess({ ...env, PORT: '0', DATA_DIR: folder.path, LOG_LEVEL: 'silent' });
    await expect(start).rejects.toThrow(
      /^DATABASE_URL: .+ lends one session to several connections: set its session mode$/,
    );
  }
});
