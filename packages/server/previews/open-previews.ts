import type { LinkPreview } from '@parley/protocol';
import type { PreviewRequest } from '../commits/effects.ts';
import type { Clock } from '../core/clock.ts';
import { type Closers, type FaultLogger, logFaults } from '../core/opening.ts';
import type { EndpointRule } from '../outbound/endpoint-rule.ts';
import { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { ReaderThread } from '../readers/reader-thread.ts';
import type { Sql } from '../store/sql.ts';
import { type KeptPage, LinkPreviews } from './link-previews.ts';

interface RoomsAbove {
  config: { linkPreviews: EndpointRule };
  clock: Clock;
  logger: FaultLogger;
  read: Sql;
  units: {
    keepPreview: (page: KeptPage) => Promise<unknown>;
    attachPreview: (input: { request: PreviewRequest; preview: LinkPreview }) => Promise<unknown>;
  };
}

export function openPreviews({ config, clock, logger, read, units }: RoomsAbove, opened: Closers): LinkPreviews {
  const linkedPages = new GuardedFetch(config.linkPreviews);
  opened.defer(() => linkedPages.close());
  // A thread of its own, so that pages do not delay messages.
  const pageReader = new ReaderThread(clock, logFaults(logger, 'failed to read a page'));
  opened.defer(() => pageReader.close());
  const previews = new LinkPreviews({
    clock,
    read,
    fetch: linkedPages.fetch,
    readPage: (page, ownerKey) => pageReader.run('page', page, ownerKey),
    keep: (page) => units.keepPreview(page),
    attach: (request, preview) => units.attachPreview({ request, preview }),
    onFault: logFaults(logger, 'failed to store the preview of a link'),
  });
  opened.defer(() => previews.stop());
  return previews;
}
