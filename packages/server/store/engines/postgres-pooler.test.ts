import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeCluster } from '@parley/testing/contracts/tested-engine.ts';
import { postgresForTests } from '@parley/testing/servers/postgres.ts';
import { redisForTests } from '@parley/testing/servers/redis.ts';
import { expect, test } from 'vitest';
import { startInProcess } from '../../in-process.ts';
import { PostgresConnection } from './postgres.ts';

/** The message with which a client ends its session; the pooler keeps it. */
const TERMINATE = 'X'.charCodeAt(0);

/** Lends one session of the server to all its clients, which ask one after the other. */
async function pooler(url: string) {
  const { hostname, port } = new URL(url);
  const session = connect(Number(port), hostname);
  await once(session, 'connect');
  const greeting: Buffer[] = [];
  const clients = new Set<Socket>();
  let isGreeted = false;
  let asking: Socket | undefined;
  session.on('data', (bytes: Buffer) => {
    if (!isGreeted) greeting.push(bytes);
    asking?.write(bytes);
  });
  const server = createServer((client) => {
    clients.add(client);
    let isNew = true;
    client.on('error', () => client.destroy());
    client.on('data', (bytes: Buffer) => {
      asking = client;
      const isStart = isNew;
      isNew = false;
      if (isStart && isGreeted) {
        client.write(Buffer.concat(greeting));
        return;
      }
      isGreeted = !isStart;
      if (isStart || bytes[0] !== TERMINATE) session.write(bytes);
      else client.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(url);
  through.port = String((server.address() as AddressInfo).port); // it listens on TCP
  return {
    url: through.href,
    async [Symbol.asyncDispose]() {
      for (const socket of [session, ...clients]) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

describeCluster('a pooler in transaction mode', () => {
  const refusal = /lends one session to several connections/;

  test('STORE-19: a second connection with the session of another one is refused, and so is the start of a node', async () => {
    const database = await (await postgresForTests()).createDatabase();
    await using shared = await pooler(database.url);
    const first = await PostgresConnection.open({ url: shared.url });
    await expect(PostgresConnection.open({ url: shared.url })).rejects.toThrow(refusal);
    await first.close();
    const REDIS_URL = await redisForTests();
    const env = { DATABASE_URL: shared.url, REDIS_URL, SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') };
    await using folder = await mkdtempDisposable(join(tmpdir(), 'parley-pooler-'));
    const start = startInProcess({ ...env, PORT: '0', DATA_DIR: folder.path, LOG_LEVEL: 'silent' });
    await expect(start).rejects.toThrow(refusal);
    await database.drop();
  });
});
