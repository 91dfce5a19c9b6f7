import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import { ServiceError } from './errors.ts';
import { ConnectionLost } from './store/engines/postgres-errors.ts';

const EVERY_MS = 10_000;

interface Fields {
  err?: unknown;
  fault?: unknown;
}

/** Nothing but that a server is away: everybody who needs it says the same, as often as they try. */
const isOutage = ({ err, fault }: Fields): boolean =>
  err instanceof ConnectionLost ||
  (err instanceof ServiceError && err.code === 'unavailable') ||
  (typeof fault === 'string' && fault.startsWith('ConnectionLost:'));

/** A logger whose errors say of an outage what there is to say, and then that again every 10 s, with its count (OPS-6). */
export function calmLogger(logger: Logger, clock: Pick<Clock, 'now'>): Logger {
  /** By their text, of which there are few. */
  const told = new Map<string, { at: number; unsaid: number }>();
  const error = (fields: Fields, text = ''): void => {
    if (!isOutage(fields)) return logger.error(fields, text);
    const last = told.get(text);
    const passedMs = last ? clock.now() - last.at : EVERY_MS;
    // A clock may be set back.
    if (last && passedMs >= 0 && passedMs < EVERY_MS) {
      last.unsaid += 1;
      return undefined;
    }
    told.set(text, { at: clock.now(), unsaid: 0 });
    return logger.error(last && last.unsaid > 0 ? { ...fields, unsaid: last.unsaid } : fields, text);
  };
  return Object.assign(Object.create(logger) as Logger, { error });
}
