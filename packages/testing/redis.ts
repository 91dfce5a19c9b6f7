import { afterAll, beforeAll, describe } from 'vitest';
import { HOW_REDIS, redisIsHere, type RedisServer, startRedis } from './redis-server.ts';
import { sharedServer } from './shared-servers.ts';

export { redisIsHere, RedisServer, startRedis } from './redis-server.ts';

/** A suite with a Redis of its own; without an installed one it is skipped, and fails in CI. */
export function describeWithRedis(name: string, suite: (redis: () => RedisServer) => void): void {
  const skip = !redisIsHere() && process.env['CI'] !== 'true';
  describe(`${name}${skip ? `: ${HOW_REDIS}` : ''}`, { skip }, () => {
    let server: RedisServer | undefined;
    beforeAll(async () => void (server = await startRedis()));
    afterAll(() => server?.[Symbol.asyncDispose]());
    suite(() => {
      if (!server) throw new Error('Redis is there while tests run');
      return server;
    });
  });
}

let own: Promise<RedisServer> | undefined;

/** The address of the server that all tests share, each with a prefix of its own; it is not to be killed. */
export async function redisForTests(): Promise<string> {
  return (await sharedServer('redis')) ?? (await (own ??= startRedis())).url;
}
