import type { Closers } from '../core/opening.ts';
import { type FileNeeds, Files } from './files.ts';

export function openFiles(
  { config, settings, clock, logger, read, urls, storage, units }: FileNeeds,
  opened: Closers,
): Files {
  const files = new Files({ config, settings, clock, logger, read, urls, storage, units });
  opened.defer(() => files.close());
  return files;
}
