// A service in the process of its caller, for tests of other programs: @parley/testing-kit imports this file of a
// checkout. `main.ts` runs a service as a process.
import pino from 'pino';
import { runService } from './run-service.ts';
import { readConfig } from './service/config.ts';

interface InProcessService {
  readonly url: string;
  /** Ends open replies at once, closes all connections and the store. Rejects if the store has failed. */
  stop(): Promise<void>;
}

/**
 * Starts a service that does not answer the admin command, and logs to stderr, because stdout may be that of a test
 * runner. It reads `env`, not the environment. If its store fails, the service closes itself; the process continues.
 */
export async function startInProcess(env: Readonly<Record<string, string>>): Promise<InProcessService> {
  const config = readConfig(env);
  const logger = pino(
    { level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => void process.stderr.write(line) },
  );
  const failure = Promise.withResolvers<void>();
  const lost: { cause?: Error } = {};
  const onStoreFailure = (error: Error): void => {
    lost.cause = error;
    failure.resolve();
  };
  const running = await runService({ config, logger, onStoreFailure }).catch((error: unknown) => {
    throw lost.cause ?? error;
  });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= running.close());
  // `stop` reports an error of `close`.
  void failure.promise.then(close).catch(() => {});
  return {
    url: running.url,
    async stop() {
      await close();
      if (lost.cause) throw new Error(`the store failed: ${lost.cause.message}`, lost);
    },
  };
}
