import { CodeRunner } from '../code/code-runner.ts';
import { type Closers, type FaultLogger, logFaults } from '../core/opening.ts';
import type { Files } from '../files/files.ts';
import { OwnTools, type OwnToolNeeds } from './own-tools.ts';

type RoomsAbove = Pick<OwnToolNeeds, 'clock' | 'read' | 'settings' | 'search' | 'units'> & {
  files: Pick<Files, 'readings' | 'storage' | 'keepFile'>;
  logger: FaultLogger;
};

/** What draws pictures is opened with the agents, which take these tools. */
export function openOwnTools({ files, logger, ...above }: RoomsAbove, opened: Closers) {
  const code = new CodeRunner(above.clock);
  opened.defer(() => code.close());
  return (pictures: OwnToolNeeds['pictures']): OwnTools =>
    new OwnTools({
      ...above,
      pictures,
      code,
      readings: files.readings,
      storage: files.storage,
      keepFile: (...given) => files.keepFile(...given),
      onFault: logFaults(logger, "one of the service's own tools failed"),
    });
}
