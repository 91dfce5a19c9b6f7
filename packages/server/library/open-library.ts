import type { UnitCallers } from '../commits/unit-callers.ts';
import type { Clock } from '../core/clock.ts';
import { type Closers, type FaultLogger, logFaults } from '../core/opening.ts';
import type { Files } from '../files/files.ts';
import type { EndpointRule } from '../outbound/endpoint-rule.ts';
import { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { ReaderThread } from '../readers/reader-thread.ts';
import type { Sql } from '../store/sql.ts';
import { Library } from './library.ts';
import type { sourceUnits } from './source-units.ts';

interface RoomsAbove {
  config: { linkPreviews: EndpointRule };
  clock: Clock;
  logger: FaultLogger & { warn: FaultLogger['error'] };
  read: Sql;
  units: UnitCallers<typeof sourceUnits>;
  files: Pick<Files, 'backgroundReader'>;
}

/** Pages are those that the operator lets the service read behind links (CONFIG-26). */
export function openLibrary({ config, files, logger, ...above }: RoomsAbove, opened: Closers): Library {
  const pages = new GuardedFetch(config.linkPreviews);
  opened.defer(() => pages.close());
  // A thread of its own, so that books do not delay messages.
  const thread = new ReaderThread(above.clock, logFaults(logger, 'failed to read a source of a library'));
  opened.defer(() => thread.close());
  const library = new Library({
    ...above,
    fetch: pages.fetch,
    thread,
    files: files.backgroundReader(),
    onFault: (error) => logger.warn({ err: error }, 'failed to fetch a source of a library; it is tried again'),
  });
  opened.defer(() => library.close());
  return library;
}
