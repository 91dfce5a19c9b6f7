import closeWithGrace from 'close-with-grace';
import pino from 'pino';
import { openChannel } from './admin/channel.ts';
import { systemClock } from './core/clock.ts';
import { ConfigError, readConfig } from './service/config.ts';
import { createService } from './service/service.ts';
import { startAdvice } from './service/start-advice.ts';
import { lockDataDir } from './store/engines/data-dir-lock.ts';
import { startServer } from './transport/server.ts';

/** Turns get this long to end at a SIGTERM, and the process 20 s in all (DRAIN-1). */
const TURN_PATIENCE_MS = 15_000;
const DRAIN_MS = 20_000;

// What the service makes is readable by its user alone (CONFIG-15).
process.umask(0o077);

try {
  // A .env file beside the command is read before anything else; the environment wins over it.
  process.loadEnvFile();
} catch {
  // There is none.
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
  // Before anybody is told that it runs: whoever ends it at once has it drained, too (DRAIN-1).
  closeWithGrace({ delay: DRAIN_MS, logger: false }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'an error nobody expected');
    await channel.close();
    await server.close(TURN_PATIENCE_MS);
    lock.release();
    logger.info('stopped');
    if (err) process.exitCode = 1;
  });
  logger.info({ url: server.url }, 'ready');
  // The line that tells the address is printed at every level: whoever started the process waits for it.
  if (!logger.isLevelEnabled('info'))
    process.stdout.write(
      `${JSON.stringify({ level: 30, time: new Date().toISOString(), url: server.url, msg: 'ready' })}\n`,
    );
} catch (error) {
  const message = error instanceof ConfigError ? error.message : String(error instanceof Error ? error.stack : error);
  process.stderr.write(`${JSON.stringify({ level: 60, msg: 'cannot start', error: message })}\n`);
  process.exit(1);
}
