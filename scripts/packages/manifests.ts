// What is in a package.json: here, with sources as exports, and as it is published.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

type Versions = Readonly<Record<string, string>>;

export interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  license?: string;
  repository?: unknown;
  workspaces?: readonly string[];
  exports?: Readonly<Record<string, string>>;
  dependencies?: Versions;
  devDependencies?: Versions;
  peerDependencies?: Versions;
}

export const readManifest = async (folder: string): Promise<Manifest> =>
  // Written by us, and read by npm before.
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;

/** The packages depend on each other in the one version that all of them have. */
const ofVersion = (dependencies: Versions, version: string): Versions =>
  Object.fromEntries(
    Object.entries(dependencies).map(([name, range]) => [name, name.startsWith('@parley/') ? version : range]),
  );

export const withVersion = <Given extends Partial<Manifest>>(manifest: Given, version: string): Given => ({
  ...manifest,
  version,
  ...(manifest.dependencies && { dependencies: ofVersion(manifest.dependencies, version) }),
});

/**
 * Sources by entry → what they are compiled to; a style sheet stays as it is. Conditions are read in order, so `types` comes
 * first.
 */
const compiledExports = (exports: NonNullable<Manifest['exports']>) =>
  Object.fromEntries(
    Object.entries(exports).map(([entry, source]) => {
      const stem = source.replace(/\.ts$/, '');
      // A style sheet has types, because TypeScript looks for those of every import.
      if (stem === source) return [entry, { types: `${source}.d.ts`, default: source }];
      return [entry, { types: `${stem}.d.ts`, default: `${stem}.js` }];
    }),
  );

/** The package.json of a compiled package. Licence and repository are those of the whole product. */
export function publishedManifest(manifest: Manifest, { license, repository }: Manifest, version: string) {
  const { private: _private, devDependencies: _tools, exports = {}, ...published } = withVersion(manifest, version);
  return {
    ...published,
    ...(license !== undefined && { license }),
    ...(repository !== undefined && { repository }),
    exports: compiledExports(exports),
  };
}
