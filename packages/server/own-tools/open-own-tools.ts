import { type FaultLogger, logFaults } from '../core/opening.ts';
import type { Files } from '../files/files.ts';
import { OwnTools, type OwnToolNeeds } from './own-tools.ts';

type RoomsAbove = Pick<OwnToolNeeds, 'clock' | 'read' | 'settings' | 'search' | 'units'> & {
  files: Pick<Files, 'readings'>;
  logger: FaultLogger;
};

/** What draws pictures is opened with the agents, which take these tools. */
export const openOwnTools =
  ({ files, logger, ...above }: RoomsAbove) =>
  (pictures: OwnToolNeeds['pictures']): OwnTools =>
    new OwnTools({
      ...above,
      pictures,
      readings: files.readings,
      onFault: logFaults(logger, "one of the service's own tools failed"),
    });
