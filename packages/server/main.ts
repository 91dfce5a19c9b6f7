import { keepCompiledCode } from './core/compiled-code.ts';

// Files that the service creates are readable only by its user (CONFIG-15).
process.umask(0o077);
// Before the modules of the service are loaded.
keepCompiledCode();
await import('./start.ts');
