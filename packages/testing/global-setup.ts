import { startPostgres } from './postgres-server.ts';
import { startRedis } from './redis-server.ts';
import { shareServers } from './shared-servers.ts';

/** Runs once before all tests of a run; what it answers runs behind them. */
export default function setup(): Promise<() => Promise<void>> {
  return shareServers({
    postgres: async () => {
      const server = await startPostgres();
      return { url: server.url(''), stop: () => server.stop() };
    },
    redis: async () => {
      const server = await startRedis();
      return { url: server.url, stop: () => server[Symbol.asyncDispose]() };
    },
  });
}
