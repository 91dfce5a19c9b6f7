// Real programs of others, in the versions below, against the service: `npm run try-world`. Not part of `npm test`.
import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { use } from '@parley/testing/programs/programs.ts';

/** Installing takes minutes on a busy machine. */
export const PATIENCE_MS = 600_000;

/** Packages that a test has installed in a folder of its own. */
export interface Installed extends AsyncDisposable {
  readonly folder: string;
}

/** Packages of npm, of which a test imports what it needs. */
interface InstalledFromNpm extends Installed {
  /** The exports of a package, which this repository has no types for. */
  load(name: string): Promise<Record<string, unknown>>;
}

const run = promisify(execFile);
const folderOf = async (): Promise<string> => realpath(await mkdtemp(join(tmpdir(), 'parley-world-')));
const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

/** Installs packages of npm in exact versions. */
export async function fromNpm(versions: Readonly<Record<string, string>>): Promise<InstalledFromNpm> {
  const folder = await folderOf();
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies: versions }),
  );
  const npm = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await run(use('bash'), ['-c', `npm ${npm.join(' ')}`], { cwd: folder });
  const { resolve } = createRequire(join(folder, 'package.json'));
  return {
    folder,
    load: async (name) => (await import(pathToFileURL(resolve(name)).href)) as Record<string, unknown>, // an ES module
    [Symbol.asyncDispose]: () => remove(folder),
  };
}

/** Installs packages of PyPI in exact versions; `python` runs them. */
export async function fromPyPI(versions: Readonly<Record<string, string>>): Promise<Installed & { python: string }> {
  const folder = await folderOf();
  const python = join(folder, 'venv/bin/python');
  await run(use('python'), ['-m', 'venv', join(folder, 'venv')]);
  const wanted = Object.entries(versions).map(([name, version]) => `${name}==${version}`);
  await run(python, ['-m', 'pip', 'install', '--quiet', ...wanted]);
  return { folder, python, [Symbol.asyncDispose]: () => remove(folder) };
}
