/**
 * The environment that a process started by a test gets, besides its own settings: where programs are, and the cache of
 * compiled modules, with which the service starts in half the time.
 */
export function processEnv(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE !== '' && { NODE_COMPILE_CACHE }) };
}
