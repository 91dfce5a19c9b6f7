// Bundles the service into packages/server/dist, from which it starts in a third of the time (OPS-4). `npm ci` runs it.
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { BUNDLE, type BundleContents, stateOf, versionOf } from '../packages/server/core/bundled-code.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const server = path.join(root, 'packages', 'server');
const folder = fileURLToPath(BUNDLE);

/** The programs of threads, by their names in the bundle. Child processes run from their sources. */
const threads = [
  'service/store-worker.ts',
  'commits/engines/flush-worker.ts',
  'commits/engines/checkpoint-worker.ts',
  'search/engines/search-worker.ts',
  'readers/reader-worker.ts',
  'transport/docs/render-worker.ts',
];
const nameOf = (file: string): string => path.basename(file, '.ts');
const namesOf = (programs: readonly string[]): Map<string, string> =>
  new Map(programs.map((file) => [path.join(server, file), nameOf(file)]));
const threadNames = namesOf(threads);
/** `main` chooses between the bundled `start` and the source. */
const entries = namesOf(['main.ts', 'start.ts', ...threads]);

/** Relative to the bundle. */
function placeOf(file: string): string {
  const name = threadNames.get(file);
  return name === undefined ? path.relative(folder, file).split(path.sep).join('/') : `./${name}.mjs`;
}

/** A bundled module finds its files where its source is, and the bundled programs of threads. */
const places: Plugin = {
  name: 'places',
  transform(code, id) {
    if (!id.startsWith(path.join(root, 'packages')) || !code.includes('import.meta.url')) return null;
    return code.replaceAll(
      /new URL\('(\.[^']*\.ts)', import\.meta\.url\)|import\.meta\.url/g,
      (_, relative: string | undefined) => {
        const file = relative === undefined ? id : path.join(path.dirname(id), relative);
        const url = `new URL(${JSON.stringify(placeOf(file))}, import.meta.url)`;
        return relative === undefined ? `${url}.href` : url;
      },
    );
  },
};

rmSync(folder, { recursive: true, force: true });
const build = await rolldown({
  input: Object.fromEntries(Array.from(entries, ([file, name]) => [name, file])),
  platform: 'node',
  plugins: [places],
  checks: { bundlerTimings: false },
  // `places` moves no line.
  onLog: (level, log, report) => log.code !== 'SOURCEMAP_BROKEN' && report(level, log),
});
const { output } = await build.write({
  dir: folder,
  format: 'esm',
  sourcemap: true,
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
});
await build.close();

const modules = output
  .flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []))
  .filter((id) => path.isAbsolute(id))
  .map((id) => path.relative(root, id).split(path.sep).join('/'));
const isSource = (file: string): boolean => !file.startsWith('node_modules/');
const packages = modules.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
const contents: BundleContents = {
  files: modules.filter(isSource).map((file) => ({ path: file, ...stateOf(file) })),
  packages: [...new Set(packages)]
    .map((found) => `${found}/package.json`)
    .map((file) => ({ path: file, version: versionOf(file) })),
};
writeFileSync(new URL('contents.json', pathToFileURL(`${folder}/`)), JSON.stringify(contents));
