import type { Closers } from '../core/opening.ts';
import { type FileNeeds, Files } from './files.ts';

export function openFiles(above: FileNeeds, opened: Closers): Files {
  const files = new Files(above);
  opened.defer(() => files.close());
  return files;
}
