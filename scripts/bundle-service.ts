// Bundles the service into packages/server/dist, from which it starts in a third of the time (OPS-4). `npm ci` runs it.
import { globSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { BUNDLE, type BundleContents, stateOf, versionOf } from '../packages/server/core/bundled-code.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const server = path.join(root, 'packages', 'server');
const folder = path.resolve(fileURLToPath(BUNDLE));
/** Takes the place of `folder` once it is complete: a service that runs from there keeps its files until then. */
const made = `${folder}.new`;

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

/** What the bundle is made of, as each module was when it was read. */
const sources = new Map<string, ReturnType<typeof stateOf>>();
const packages = new Set<string>();

/** Notes each module, also one of which only a constant is left in the bundle. */
function note(id: string): void {
  if (!path.isAbsolute(id)) return;
  const file = path.relative(root, id).split(path.sep).join('/');
  const found = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
  if (found === undefined) sources.set(file, stateOf(file));
  else packages.add(`${found}/package.json`);
}

/** A bundled module finds its files where its source is, and the bundled programs of threads. */
const places: Plugin = {
  name: 'places',
  transform(code, moduleId) {
    const id = path.normalize(moduleId);
    note(id);
    if (!id.startsWith(path.join(root, 'packages')) || !code.includes('import.meta.')) return null;
    const placed = code.replaceAll(
      /new URL\('(\.[^']*\.ts)', import\.meta\.url\)|import\.meta\.url/g,
      (_, relative: string | undefined) => {
        const file = relative === undefined ? id : path.join(path.dirname(id), relative);
        const url = `new URL(${JSON.stringify(placeOf(file))}, import.meta.url)`;
        return relative === undefined ? `${url}.href` : url;
      },
    );
    if (/import\.meta\.(?:dirname|filename)/.test(code)) throw new Error(`${id}: use import.meta.url`);
    return placed;
  },
};

rmSync(made, { recursive: true, force: true });
const build = await rolldown({
  input: Object.fromEntries(Array.from(entries, ([file, name]) => [name, file])),
  platform: 'node',
  plugins: [places],
  checks: { bundlerTimings: false },
  // `places` changes no line's number, so the maps are right without one of its own.
  onLog: (level, log, report) => log.code !== 'SOURCEMAP_BROKEN' && report(level, log),
});
await build.write({
  dir: made,
  format: 'esm',
  sourcemap: true,
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
});
await build.close();

// Their `exports` say which module a name leads to.
for (const file of globSync('packages/*/package.json', { cwd: root })) note(path.join(root, file));
for (const [file, { bytes, changed }] of sources) {
  const now = stateOf(file);
  if (now.bytes !== bytes || now.changed !== changed) throw new Error(`${file} has changed meanwhile`);
}
const contents: BundleContents = {
  files: Array.from(sources, ([file, state]) => ({ path: file, ...state })),
  packages: Array.from(packages, (file) => ({ path: file, version: versionOf(file) })),
};
writeFileSync(path.join(made, 'contents.json'), JSON.stringify(contents));
rmSync(folder, { recursive: true, force: true });
renameSync(made, folder);
