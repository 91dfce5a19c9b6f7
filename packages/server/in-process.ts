// A service in the process of its caller, for tests of other programs: @parley/testing-kit imports this file of a
// checkout. `main.ts` runs a service as a process.
import pino from 'pino';
import { systemClock } from './core/clock.ts';
import { readConfig } from './service/config.ts';
import { createService } from './service/service.ts';
import { lockDataDir } from './store/engines/data-dir-lock.ts';
import { startServer } from './transport/server.ts';

export interface InProcessService {
  readonly url: string;
  /** Ends open replies at once, closes all connections and the store. */
  stop(): Promise<void>;
}

/** Starts a service that logs nothing and does not answer the admin command. It reads `env`, not the environment. */
export async function startInProcess(env: Readonly<Record<string, string>>): Promise<InProcessService> {
  const config = readConfig(env);
  const lock = lockDataDir(config.dataDir);
  try {
    const service = await createService({ config, clock: systemClock, logger: pino({ level: 'silent' }) });
    try {
      const server = await startServer(service);
      return {
        url: server.url,
        async stop() {
          try {
            await server.close();
          } finally {
            lock.release();
          }
        },
      };
    } catch (error) {
      await service.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}
