// What a release changes in the repository: the version of every package and the changelog.
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Manifest, readManifest, withVersion } from './manifests.ts';
import { PYTHON_SDK, withProjectVersion } from './wheel.ts';

/** The version, the changelog or uncommitted changes do not allow a release. */
export class ReleaseError extends Error {}

interface ReleasePlan {
  version: string;
  /** The changelog's lines for this version; empty right after a release. */
  notes: string;
  /** New texts by path in the repository. */
  files: ReadonlyMap<string, string>;
}

/** The release of `asked`, by default of the next minor version, on a date such as `2026-12-31`. */
export async function planRelease(root: string, date: string, asked?: string): Promise<ReleasePlan> {
  const product = await readManifest(root);
  const version = asked ?? nextMinor(product.version);
  if (!isAfter(version, product.version))
    throw new ReleaseError(
      `${version} is not a version after ${product.version}, such as ${nextMinor(product.version)}`,
    );
  const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
  const { notes, changelog } = releasedChangelog(await read('CHANGELOG.md'), version, date);
  const folders = ['', ...globSync([...(product.workspaces ?? [])], { cwd: root }).toSorted()];
  const files = new Map([['CHANGELOG.md', changelog]]);
  for (const folder of folders)
    files.set(join(folder, 'package.json'), asJson(withVersion(await readManifest(join(root, folder)), version)));
  const pyproject = join(PYTHON_SDK, 'pyproject.toml');
  files.set(pyproject, withProjectVersion(await read(pyproject), version));
  files.set('package-lock.json', asJson(releasedLock(await read('package-lock.json'), folders, version)));
  return { version, notes, files };
}

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const numbersOf = (version: string): number[] =>
  (/^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? []).slice(1).map((digits) => Number(digits));

function nextMinor(version: string): string {
  const [major = 0, minor = 0] = numbersOf(version);
  return `${major}.${minor + 1}.0`;
}

function isAfter(version: string, former: string): boolean {
  const [now, before] = [numbersOf(version), numbersOf(former)];
  const at = now.findIndex((number, place) => number !== before[place]);
  return at >= 0 && (now[at] ?? 0) > (before[at] ?? 0);
}

const UNRELEASED = '## [Unreleased]\n';

/** Moves what is under Unreleased to a section of its own. */
function releasedChangelog(text: string, version: string, date: string): { notes: string; changelog: string } {
  const [before = '', after = ''] = text.split(UNRELEASED);
  const [notes = ''] = after.split(/^## /m);
  return { notes: notes.trim(), changelog: `${before}${UNRELEASED}\n## [${version}] - ${date}\n${after}` };
}

function releasedLock(text: string, folders: readonly string[], version: string): unknown {
  // Written by npm.
  const lock = JSON.parse(text) as { packages: Record<string, Partial<Manifest>> };
  const ours = folders.map((folder) => [folder, withVersion(lock.packages[folder] ?? {}, version)]);
  return { ...lock, version, packages: { ...lock.packages, ...Object.fromEntries(ours) } };
}
