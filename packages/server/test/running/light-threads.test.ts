import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Threads that start beside the service, and need nothing of the declarations of its operations. */
const threads = [
  '../../search/engines/search-worker.ts',
  '../../readers/reader-worker.ts',
  '../../commits/engines/flush-worker.ts',
  '../../commits/engines/checkpoint-worker.ts',
];

/** What a module and all that it imports load from packages, types left out. */
function packagesOf(module: URL, seen = new Set<string>()): string[] {
  if (seen.has(module.href)) return [];
  seen.add(module.href);
  const imports = readFileSync(fileURLToPath(module), 'utf8').matchAll(
    /^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm,
  );
  return Array.from(imports, ([, name = '']) => name).flatMap((name) => {
    if (name.startsWith('.')) return packagesOf(new URL(name, module), seen);
    const own = name.startsWith('@parley/') ? packagesOf(new URL(import.meta.resolve(name)), seen) : [];
    return [name, ...own];
  });
}

test.each(threads)('%s does not load the declarations of all operations: half its start, and 12 MB', (thread) => {
  const packages = packagesOf(new URL(thread, import.meta.url));
  expect(packages).not.toContain('@parley/protocol');
  expect(packages).not.toContain('zod');
});

test('what a module loads is found, through others and in packages', () => {
  const packages = packagesOf(new URL('../../transport/wire-inventory.ts', import.meta.url));
  expect(packages).toContain('@parley/protocol');
  expect(packages).toContain('zod');
});
