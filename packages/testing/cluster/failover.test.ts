import { setTimeout as pause } from 'node:timers/promises';
import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithPostgres } from '../servers/postgres.ts';
import { type PostgresServer, startPostgres } from '../servers/postgres-server.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../servers/redis.ts';
import { Link } from './link.ts';
import { NodeProcess } from './node-process.ts';

const PATIENCE_MS = 60_000;
const AGAIN_MS = 20;
const WRITERS = 6;

const describeWithBoth: typeof describeWithPostgres = (name, suite) =>
  describeWithPostgres(name, () => describeWithRedis('on servers of its own', suite));

/** Runs statements on a server, also on a standby, to which the service opens no connection. */
async function sqlOn(server: PostgresServer, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    for (const statement of ['SET default_transaction_read_only = off', ...statements]) await client.query(statement);
  } finally {
    await client.end();
  }
}

describeWithBoth('A failover of PostgreSQL', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let redis: RedisServer;
  let address: Link;
  let node: NodeProcess;
  const acknowledged = new Set<string>();
  let isOver = false;
  let chatId = '';

  const call = async (method: string, params: object, user = 'ann'): Promise<Record<string, unknown>> => {
    const response = await fetch(`${node.url}/api/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer dev:${user}`, 'content-type': 'application/json' },
      body: JSON.stringify(params),
      signal: AbortSignal.timeout(15_000),
    });
    const answer = (await response.json()) as { ok: boolean; result?: Record<string, unknown>; error_code?: string };
    if (!answer.ok) throw new Error(`${response.status} ${answer.error_code}`);
    return answer.result ?? {};
  };
  const readiness = async (): Promise<number> => (await fetch(`${node.url}/readyz`)).status;
  /** Sends messages one after another; each until it is acknowledged. */
  const write = async (): Promise<void> => {
    while (!isOver) {
      const params = { chat_id: chatId, text: randomUUID(), client_msg_id: randomUUID() };
      for (;;) {
        try {
          await call('sendMessage', params);
          acknowledged.add(params.text);
          break;
        } catch {
          if (isOver) return;
          await pause(AGAIN_MS);
        }
      }
      await pause(AGAIN_MS);
    }
  };
  const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
    await expect.poll(isSo, { timeout: PATIENCE_MS }).toBe(true);
  };
  const more = async (count: number): Promise<void> => {
    const before = acknowledged.size;
    await until(() => acknowledged.size >= before + count);
  };

  beforeAll(async () => {
    primary = await startPostgres({ isDurable: true });
    const database = await primary.createDatabase();
    standby = await startPostgres({ isDurable: true, standbyOf: primary });
    // A commit is acknowledged once the standby has it.
    await sqlOn(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'", 'SELECT pg_reload_conf()');
    redis = await startRedis();
    address = await Link.to(primary.port);
    const url = new URL(database.url);
    url.port = String(address.port);
    const env = {
      SECRETS_KEY: `1:${randomBytes(32).toString('base64')}`,
      DATABASE_URL: url.href,
      REDIS_URL: `redis://127.0.0.1:${redis.port}`,
      DEV_TOKENS: '1',
    };
    node = await NodeProcess.start({ env });
    await call('getMe', {}, 'bob');
    chatId = String((await call('startChat', { username: 'bob' }))['id']);
  }, PATIENCE_MS);
  afterAll(async () => {
    isOver = true;
    await node?.end('SIGKILL');
    await address?.[Symbol.asyncDispose]();
    await redis?.[Symbol.asyncDispose]();
    await Promise.all([primary?.stop(), standby?.stop()]);
  }, PATIENCE_MS);

  test(
    'STORE-18: writes go on within 5 s of a promotion, and nothing acknowledged is lost',
    {
      timeout: 4 * PATIENCE_MS,
    },
    async () => {
      const writers = Array.from({ length: WRITERS }, write);
      await more(50);
      expect(await readiness()).toBe(200);

      // The address leads to the standby before it is promoted: it takes no writes.
      address.lead(standby.port);
      await until(async () => (await readiness()) === 503);
      const stuck = acknowledged.size;
      await primary.kill('SIGKILL');
      const promoted = performance.now();
      await sqlOn(standby, 'SELECT pg_promote(true)');
      await until(() => acknowledged.size > stuck);
      expect(performance.now() - promoted).toBeLessThan(5_000);
      await more(50);
      await until(async () => (await readiness()) === 200);

      // The old primary comes back as a standby, and the address leads to it for a while.
      const returned = await startPostgres({ isDurable: true, standbyOf: standby });
      try {
        address.lead(returned.port);
        await until(async () => (await readiness()) === 503);
        const before = acknowledged.size;
        address.lead(standby.port);
        await until(() => acknowledged.size > before);
        await until(async () => (await readiness()) === 200);

        // A server that is made read-only, whose connections stay open.
        const calm = acknowledged.size;
        await sqlOn(standby, 'ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()');
        await until(async () => (await readiness()) === 503);
        expect(acknowledged.size).toBeGreaterThanOrEqual(calm);
        await sqlOn(standby, 'ALTER SYSTEM RESET default_transaction_read_only', 'SELECT pg_reload_conf()');
        await more(20);
        await until(async () => (await readiness()) === 200);
      } finally {
        await returned.stop();
      }
      isOver = true;
      await Promise.all(writers);

      const stored: string[] = [];
      let cursor: unknown;
      do {
        const page = await call('getChatHistory', {
          chat_id: chatId,
          limit: 100,
          ...(cursor !== undefined && { cursor }),
        });
        // The shape of getChatHistory's answer.
        const items = page['items'] as { content: string }[];
        stored.push(...items.map(({ content }) => content));
        cursor = page['next_cursor'];
      } while (cursor !== undefined);
      const times = new Map([...acknowledged].map((text) => [text, stored.filter((one) => one === text).length]));
      expect([...times].filter(([, count]) => count !== 1)).toEqual([]);
      expect(times.size).toBeGreaterThan(120);
    },
  );
});
