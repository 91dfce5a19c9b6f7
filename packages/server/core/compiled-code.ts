import { constants, enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Only who may change the installed code may write there. */
const folder = fileURLToPath(new URL('../../../node_modules/.cache/parley', import.meta.url));

/**
 * Keeps the compiled code of modules that are loaded from now on, so that the next start need not strip types and
 * compile. This saves a third of the start, and the memory of a compiler in each thread. Without write access to the
 * folder, or with NODE_DISABLE_COMPILE_CACHE, nothing is kept.
 */
export function keepCompiledCode(): void {
  const { status, directory } = enableCompileCache(folder);
  const { ENABLED } = constants.compileCacheStatus;
  // Threads and child processes find the folder in the environment.
  if (status === ENABLED && directory !== undefined) process.env['NODE_COMPILE_CACHE'] = folder;
}
