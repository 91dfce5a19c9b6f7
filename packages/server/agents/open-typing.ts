import type { Clock } from '../core/clock.ts';
import { type Closers, type FaultLogger, logFaults } from '../core/opening.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Awaitable } from '../store/sql.ts';
import type { LiveStreams } from '../replies/live-streams.ts';
import { TypingIndicators, typingPlaceOf } from './typing.ts';
import { TypingJournal } from './typing-journal.ts';

interface RoomsAbove {
  config: { dataDir: string };
  clock: Clock;
  logger: FaultLogger;
  log: EventLog;
  streams: LiveStreams;
  /** True for an account with a live socket, on any node. */
  findLive: (accountKey: number) => Awaitable<boolean>;
}

/** Who is typing. The indicators and their journal know each other: what is noted first, and what a new file repeats. */
export function openTyping({ config, clock, logger, log, streams, findLive }: RoomsAbove, opened: Closers) {
  const typingJournal = new TypingJournal(config.dataDir, {
    clock,
    current: () => [...typing.places(), ...[...streams.all()].map(({ info }) => typingPlaceOf(info))],
    onFault: logFaults(logger, 'failed to note who is typing'),
  });
  opened.defer(() => typingJournal.close());
  const typing = new TypingIndicators({
    clock,
    publish: (event) => log.publishTransient(event),
    isLive: findLive,
    begins: (place) => typingJournal.note(place),
  });
  opened.defer(() => typing.close());
  return { typing, typingJournal };
}
