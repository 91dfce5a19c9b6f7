import closeWithGrace from 'close-with-grace';
import pino from 'pino';
import { openChannel } from './admin/channel.ts';
import { writeCompiledCode } from './core/compiled-code.ts';
import { inSources } from './core/source-stacks.ts';
import { endStep, stepsOfStart } from './core/start-steps.ts';
import { runService } from './run-service.ts';
import { ConfigError, readConfig } from './service/config.ts';
import { startAdvice } from './service/start-advice.ts';

/** How long turns may run on after a SIGTERM, and how long the whole shutdown may take (DRAIN-1). */
const TURN_PATIENCE_MS = 15_000;
const DRAIN_MS = 20_000;

/** An error as it is logged. What is no error is logged as it is. */
function errorRecord(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const record = pino.stdSerializers.err(error);
  return record.stack === undefined ? record : { ...record, stack: inSources(record.stack) };
}

/** One process loads no module that only nodes need. */
async function watched(): Promise<() => void> {
  const [{ watchOver }, { createSystemClock }] = await Promise.all([
    import('./cluster/watchdog.ts'),
    import('./core/clock.ts'),
  ]);
  return watchOver(createSystemClock({ unref: true }));
}

/** Runs the service with the settings of the environment, until a signal ends the process. The log says what `code` runs. */
export async function start(code: 'bundle' | 'sources'): Promise<void> {
  endStep('modules');
  // All modules are loaded, and no client waits yet.
  writeCompiledCode();

  try {
    const config = readConfig(process.env);
    const logger = pino({
      level: config.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorRecord },
    });
    if (config.missingVapid.length > 0)
      logger.warn({ missing: config.missingVapid }, 'web pushes are skipped: not all VAPID_ variables are set');
    for (const advice of startAdvice(config)) logger.info(advice, 'a setting is recommended');
    // The process is useless without its store: exit, so that its supervisor starts a new one, which recovers.
    const running = await runService({ config, logger, onStoreFailure: () => process.exit(1) });
    const unwatch = config.databaseUrl !== null && config.watchdog ? await watched() : () => {};
    const channel = await openChannel(running.service);
    // Handle signals before the line 'ready' is printed, so that a signal right after that line drains the service
    // (DRAIN-1).
    closeWithGrace({ delay: DRAIN_MS, logger: false }, async ({ err }) => {
      if (err) logger.fatal({ err }, 'unexpected error');
      await channel.close();
      await running.close(TURN_PATIENCE_MS);
      unwatch();
      logger.info('stopped');
      if (err) process.exitCode = 1;
    });
    endStep('server');
    logger.info({ url: running.url, code, steps_ms: stepsOfStart() }, 'ready');
    // Print the line with the address at every log level: the parent process may wait for it.
    if (!logger.isLevelEnabled('info'))
      process.stdout.write(
        `${JSON.stringify({ level: 30, time: new Date().toISOString(), url: running.url, msg: 'ready' })}\n`,
      );
  } catch (error) {
    const message =
      error instanceof ConfigError ? error.message : inSources(String(error instanceof Error ? error.stack : error));
    process.stderr.write(`${JSON.stringify({ level: 60, msg: 'cannot start', error: message })}\n`);
    process.exit(1);
  }
}
