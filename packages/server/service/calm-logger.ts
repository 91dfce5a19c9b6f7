import type { Logger } from 'pino';
import type { Clock } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';
import { ConnectionLost } from '../store/engines/connection-lost.ts';

const EVERY_MS = 10_000;

interface Fields {
  err?: unknown;
  fault?: unknown;
}

/** Errors that only mean that a server is unavailable; every attempt to use it logs the same. */
const isOutage = ({ err, fault }: Fields): boolean =>
  err instanceof ConnectionLost ||
  (err instanceof ServiceError && err.code === 'unavailable') ||
  (typeof fault === 'string' && fault.startsWith('ConnectionLost:'));

type Write = (fields: object, text: string) => void;

/** Writes the first line of each text, then at most one every 10 s with the count of the lines left out. */
function calm(write: Write, clock: Pick<Clock, 'monotonic'>): Write {
  /** By log text; there are few different ones. */
  const written = new Map<string, { at: number; unsaid: number }>();
  return (fields, text) => {
    const last = written.get(text);
    const passedMs = last ? clock.monotonic() - last.at : EVERY_MS;
    // The clock may be set back.
    if (last && passedMs >= 0 && passedMs < EVERY_MS) {
      last.unsaid += 1;
      return;
    }
    written.set(text, { at: clock.monotonic(), unsaid: 0 });
    write(last && last.unsaid > 0 ? { ...fields, unsaid: last.unsaid } : fields, text);
  };
}

/** For warnings that any stranger can trigger at will. */
export const calmWarnings = (logger: Logger, clock: Pick<Clock, 'monotonic'>): Write =>
  calm((fields, text) => logger.warn(fields, text), clock);

/** A logger that repeats errors caused by an outage only every 10 s, with their count (OPS-6). */
export function calmLogger(logger: Logger, clock: Pick<Clock, 'monotonic'>): Logger {
  const outage = calm((fields, text) => logger.error(fields, text), clock);
  const error = (fields: Fields, text = ''): void =>
    isOutage(fields) ? outage(fields, text) : logger.error(fields, text);
  return Object.assign(Object.create(logger) as Logger, { error });
}
