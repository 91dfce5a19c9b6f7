import { loadStoreThread } from './commits/engines/early-store.ts';
import { bundled } from './core/bundled-code.ts';
import { keepCompiledCode } from './core/compiled-code.ts';
import type * as Program from './start.ts';

// Files that the service creates are readable only by its user (CONFIG-15).
process.umask(0o077);
// Before the modules of the service are loaded.
keepCompiledCode();
try {
  // Read a .env file in the working directory first; variables of the environment win over it.
  process.loadEnvFile();
} catch {
  // There is no .env file.
}
const bundle = bundled('start');
// Nodes have no store thread.
if (bundle !== null && !process.env['DATABASE_URL']) loadStoreThread(new URL('store-worker.mjs', bundle));
// Not a literal, so that the bundler, which bundles this module too, does not resolve it.
const source = new URL('./start.ts', import.meta.url).href;
const { start } = (await import(bundle ?? source)) as typeof Program; // either is that module
await start(bundle === null ? 'sources' : 'bundle');
