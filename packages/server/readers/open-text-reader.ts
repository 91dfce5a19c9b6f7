import type { Clock } from '../core/clock.ts';
import { type Closers, type FaultLogger, logFaults } from '../core/opening.ts';
import { TextReader } from './text-reader.ts';

export function openTextReader({ clock, logger }: { clock: Clock; logger: FaultLogger }, opened: Closers): TextReader {
  const reader = new TextReader(clock, logFaults(logger, 'failed to read a text'));
  opened.defer(() => reader.close());
  return reader;
}
