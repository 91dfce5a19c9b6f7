import closeWithGrace from 'close-with-grace';
import pino from 'pino';
import { openChannel } from './admin/channel.ts';
import { systemClock } from './core/clock.ts';
import { ConfigError, readConfig } from './service/config.ts';
import { createService } from './service/service.ts';
import { startAdvice } from './service/start-advice.ts';
import { lockDataDir } from './store/engines/data-dir-lock.ts';
import { startServer } from './transport/server.ts';

/** How long turns may run on after a SIGTERM, and how long the whole shutdown may take (DRAIN-1). */
const TURN_PATIENCE_MS = 15_000;
const DRAIN_MS = 20_000;

try {
  // Read a .env file in the working directory first; variables of the environment win over it.
  process.loadEnvFile();
} catch {
  // There is no .env file.
}

try {
  const config = readConfig(process.env);
  const logger = pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  if (config.missingVapid.length > 0)
    logger.warn({ missing: config.missingVapid }, 'web pushes are skipped: not all VAPID_ variables are set');
  for (const advice of startAdvice(config)) logger.info(advice, 'a setting is recommended');
  const lock = lockDataDir(config.dataDir);
  const service = await createService({ config, clock: systemClock, logger });
  const server = await startServer(service);
  const channel = await openChannel(service);
  // Handle signals before the line 'ready' is printed, so that a signal right after that line drains the service
  // (DRAIN-1).
  closeWithGrace({ delay: DRAIN_MS, logger: false }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'unexpected error');
    await channel.close();
    await server.close(TURN_PATIENCE_MS);
    lock.release();
    logger.info('stopped');
    if (err) process.exitCode = 1;
  });
  logger.info({ url: server.url }, 'ready');
  // Print the line with the address at every log level: the parent process may wait for it.
  if (!logger.isLevelEnabled('info'))
    process.stdout.write(
      `${JSON.stringify({ level: 30, time: new Date().toISOString(), url: server.url, msg: 'ready' })}\n`,
    );
} catch (error) {
  const message = error instanceof ConfigError ? error.message : String(error instanceof Error ? error.stack : error);
  process.stderr.write(`${JSON.stringify({ level: 60, msg: 'cannot start', error: message })}\n`);
  process.exit(1);
}
