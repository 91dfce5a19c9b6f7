import { systemClock } from './core/clock.ts';
import { endStep } from './core/start-steps.ts';
import type { Service, ServiceOptions } from './service/interface.ts';
import { createService } from './service/service.ts';
import { lockDataDir } from './store/engines/data-dir-lock.ts';
import { startServer } from './transport/server.ts';

export interface RunningService {
  readonly service: Service;
  readonly url: string;
  /** Ends turns within `patienceMs`, closes all connections and the store, and releases the folder. */
  close(patienceMs?: number): Promise<void>;
}

/** Locks the data folder, and starts a service with its server; unlocks the folder if one of them fails to start. */
export async function runService(
  options: Pick<ServiceOptions, 'config' | 'logger' | 'onStoreFailure'>,
): Promise<RunningService> {
  const lock = lockDataDir(options.config.dataDir);
  try {
    endStep('settings');
    const service = await createService({ ...options, clock: systemClock });
    endStep('recovery');
    try {
      const server = await startServer(service);
      return {
        service,
        url: server.url,
        async close(patienceMs) {
          try {
            await server.close(patienceMs);
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
