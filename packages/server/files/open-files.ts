import type { Closers } from '../core/opening.ts';
import { type FileRooms, Files } from './files.ts';

export function openFiles(
  { config, settings, clock, logger, read, urls, storage, units }: FileRooms,
  opened: Closers,
): Files {
  const files = new Files({ config, settings, clock, logger, read, urls, storage, units });
  opened.defer(() => files.close());
  return files;
}
