import type { TestOptions } from 'vitest';
import { isHere, noteNeed, type ProgramName } from './programs.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Missing programs for which a test is skipped; the end of the run says how to have them. */
    [lacks: `lacks ${string}`]: true;
  }
}

/**
 * Options of a test or suite that uses programs which `npm ci` does not bring: `test('…', needs('redis'), …)`. Without
 * one of them it is skipped, and the run ends with a line that says how to have it; with `CI=true` it fails.
 */
export function needs(...names: readonly ProgramName[]): TestOptions {
  noteNeed(names);
  const missing = names.filter((name) => !isHere(name));
  const tags = ['program'];
  if (missing.length === 0 || process.env['CI'] === 'true') return { tags };
  return { tags, skip: true, meta: Object.fromEntries(missing.map((name) => [`lacks ${name}`, true])) };
}
