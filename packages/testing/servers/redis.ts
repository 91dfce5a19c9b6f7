import { afterAll, beforeAll, describe } from 'vitest';
import { needs } from '../programs/needs.ts';
import { use } from '../programs/programs.ts';
import { type RedisServer, startRedis } from './redis-server.ts';
import { sharedServer } from './shared-servers.ts';

export { RedisServer, startRedis } from './redis-server.ts';

/** A suite with its own Redis. */
export function describeWithRedis(name: string, suite: (redis: () => RedisServer) => void): void {
  describe(name, needs('redis'), () => {
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
  use('redis');
  return (await sharedServer('redis')) ?? (await (own ??= startRedis())).url;
}
