import type { Clock } from '../core/clock.ts';
import type { Closers } from '../core/opening.ts';
import type { EventLog } from '../log/event-log.ts';
import type { TextReader } from '../readers/text-reader.ts';
import { InlineQueries } from './inline-queries.ts';
import { OfferedActions } from './offered-actions.ts';

interface RoomsAbove {
  clock: Clock;
  log: EventLog;
  textReader: TextReader;
  /** Tells the other nodes that a query of this node waits no longer. */
  queryEnded: (id: string) => void;
}

/** What people ask of bots with a keystroke or a button. */
export function openInteractions({ clock, log, textReader, queryEnded }: RoomsAbove, opened: Closers) {
  const inlineQueries = new InlineQueries({
    clock,
    publish: (event) => log.publishTransient(event),
    ended: queryEnded,
  });
  opened.defer(() => inlineQueries.close());
  return { inlineQueries, offeredActions: new OfferedActions(textReader) };
}
