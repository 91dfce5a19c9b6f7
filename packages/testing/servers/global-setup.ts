import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFastFolder } from './fast-folder.ts';
import { startPostgres } from './postgres-server.ts';
import { startRedis } from './redis-server.ts';
import { shareServers } from './shared-servers.ts';

/** Runs once before all tests of a run; the function it returns runs after them. */
export default async function setup(): Promise<() => Promise<void>> {
  const removeFolder = makeFastFolder();
  // Store threads and processes that tests start load the same modules.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'parley-compile-cache');
  const endServers = await shareServers({
    postgres: async () => {
      const server = await startPostgres();
      return { url: server.url(''), stop: () => server.stop() };
    },
    redis: async () => {
      const server = await startRedis();
      return { url: server.url, stop: () => server[Symbol.asyncDispose]() };
    },
  });
  return async () => {
    await endServers();
    removeFolder();
  };
}
