import { constants, enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Only who may change the installed code may write there. */
const folder = fileURLToPath(new URL('../../../node_modules/.cache/parley', import.meta.url));

/**
 * Keeps the compiled code of modules that are loaded from now on, so that the next start need not strip types and
 * compile. This saves a third of the start, and the memory of a compiler in each thread. Without write access to the
 * folder, what is there is used and nothing is added; NODE_DISABLE_COMPILE_CACHE turns it off.
 */
export function keepCompiledCode(): void {
  const { status, directory } = enableCompileCache(folder);
  const { ENABLED } = constants.compileCacheStatus;
  // Threads and child processes find the folder in the environment.
  if (status === ENABLED && directory !== undefined) process.env['NODE_COMPILE_CACHE'] = folder;
}

/**
 * Writes the compiled code of the modules that are loaded by now. Node writes it only when a process exits: without
 * this, a service that is always killed would compile everything at each start (OPS-4).
 */
export const writeCompiledCode = (): void => flushCompileCache();
