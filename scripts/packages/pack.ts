// The packages that programs outside this repository install. In the repository everything runs from the sources; for
// programs outside, tsc compiles them to JavaScript and declarations, in a folder per package, which npm packs.
import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Manifest, publishedManifest, readManifest } from './manifests.ts';

/** Each after those that it depends on, as they are published. */
export const packageNames = ['protocol', 'client', 'react', 'testing-kit'] as const;

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What runs everywhere, and what runs on Node alone. */
const projects = ['tsconfig.json', 'tsconfig.node.json'].map((file) => fileURLToPath(new URL(file, import.meta.url)));
const run = promisify(execFile);

/** Writes a folder and a tarball for each package into `parent`; resolves to the names of the tarballs. */
export async function packPackages(parent: string, version: string): Promise<string[]> {
  const folders = packageNames.map((name) => join(parent, name));
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  for (const project of projects) await run(process.execPath, [tsc, '-p', project, '--outDir', parent]);
  const product = await readManifest(root);
  for (const name of packageNames) await finish(join(root, 'packages', name), join(parent, name), product, version);
  const { stdout } = await run('npm', ['pack', '--silent', ...folders], { cwd: parent });
  return stdout.trim().split('\n');
}

/** Adds to what tsc has written for a package everything that is not compiled. */
async function finish(source: string, folder: string, product: Manifest, version: string): Promise<void> {
  for (const file of globSync('**/*.d.ts', { cwd: folder })) await edit(join(folder, file), withJsImports);
  for (const file of globSync('**/*.js.map', { cwd: folder })) await edit(join(folder, file), withoutPaths);
  const manifest = publishedManifest(await readManifest(source), product, version);
  for (const { default: file, types } of Object.values(manifest.exports)) {
    if (!file.endsWith('.css')) continue;
    await copyFile(join(source, file), join(folder, file));
    await writeFile(join(folder, types), 'export {};\n');
  }
  for (const file of Object.values(manifest.exports).flatMap((entry) => Object.values(entry)))
    if (!existsSync(join(folder, file)))
      throw new Error(`${manifest.name}: ${projects.join(' and ')} do not compile ${file}`);
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await copyFile(join(source, 'README.md'), join(folder, 'README.md'));
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

const edit = async (file: string, change: (text: string) => string): Promise<void> =>
  writeFile(file, change(await readFile(file, 'utf8')));

/** tsc leaves `.ts` in declarations, where TypeScript finds the `.d.ts` beside it but other tools do not. */
const withJsImports = (text: string): string => text.replaceAll(/(['"])(\.{1,2}\/[^'"\n]+)\.tsx?\1/g, '$1$2.js$1');

/** A map contains its source, so it can name it without the folders of this machine. */
function withoutPaths(text: string): string {
  const map = JSON.parse(text) as { sources: string[] }; // written by tsc
  return JSON.stringify({ ...map, sources: map.sources.map((path) => basename(path)) });
}
