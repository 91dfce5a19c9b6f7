import { afterAll, beforeAll, describe } from 'vitest';
import { HOW_REDIS, redisIsHere, type RedisServer, startRedis } from './redis-server.ts';
import { sharedServer } from './shared-servers.ts';

export { redisIsHere, RedisServer, startRedis } from './redis-server.ts';

/** A suite with its own Redis; skipped if none is installed, except in CI, where it fails. */
export function describeWithRedis(name: string, suite: (redis: () => RedisServer) => void): void {
  const skip = !redisIsHere() && process.env['CI'] !== 'true';
  describe(`${name}${skip ? `: ${HOW_REDIS}` : ''}`, { skip }, () => {
    let server: RedisServer | undefined;
    beforeAll(async () => void (server = await startRedis()));
    afterAll(() => server?.[Symbol.asyncDispose]());
    suite(() => {
      if (!server) throw new Error('Redis has not started');
      return server;
    });
  });
}

let own: Promise<RedisServer> | undefined;

/** The address of the server shared by all tests, which use different prefixes and must not kill it. */
export async function redisForTests(): Promise<string> {
  return (await sharedServer('redis')) ?? (await (own ??= startRedis())).url;
}
