// For tests and `npm run check-size`: how many bytes the SDK adds to an app's bundle.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

/** Maximum bytes after gzip, by entry. The store's entry includes the client. */
export const sizeLimits = { client: 15_000, 'client with store': 27_500 } as const;

const entries = {
  client: "export * from './index.ts';",
  'client with store': "export * from './index.ts'; export * from './store/index.ts';",
} as const;
export type Entry = keyof typeof entries;

/** Files of the protocol have no dependencies of their own, or the bundle would show them. */
const isOurs = (id: string): boolean => id.startsWith('.') || id.startsWith('@parley/protocol/');

/** Bundles, minifies and compresses an entry. Throws if the bundle would contain anything but our own files. */
export async function gzippedBytes(entry: Entry): Promise<number> {
  const name = 'virtual:entry';
  const here = fileURLToPath(new URL('entry.ts', import.meta.url));
  const build = await rolldown({
    input: name,
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (id, importer) =>
          id === name ? here : isOurs(id) ? undefined : { id: `${id} of ${importer ?? ''}`, external: true },
        load: (id) => (id === here ? { code: entries[entry], moduleType: 'ts' } : undefined),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  const [chunk] = output;
  if (output.length !== 1 || chunk.imports.length > 0)
    throw new Error(
      `the SDK depends on ${[...chunk.imports, ...output.slice(1).map(({ fileName }) => fileName)].join(', ')}`,
    );
  return gzipSync(chunk.code, { level: 9 }).length;
}
