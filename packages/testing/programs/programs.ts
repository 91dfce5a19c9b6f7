// programs/: what tests use besides Node and npm. Each program's name, the variable that names another place for it, how
// it is found and how one gets it are here and nowhere else. A test asks for a program with needs.ts.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { python } from '../../../scripts/packages/wheel.ts';
import { findPostgres } from '../servers/postgres-binaries.ts';

interface Program {
  /** As the line about skipped tests names it. */
  readonly name: string;
  /** The environment variable that names its place, instead of the usual ones. */
  readonly variable: string;
  /** How to get it, besides setting the variable. */
  readonly how: string;
  /** The program's path, or its folder if it is several programs. */
  find(given: string | undefined): string | undefined;
}

const CHROMIUM = '/usr/bin/chromium';

const table = {
  postgres: {
    name: 'PostgreSQL',
    variable: 'POSTGRES_BIN',
    how: 'npm ci installs it on most platforms (for tests run by root, TMPDIR must be open to all users)',
    find: () => findPostgres()?.folder,
  },
  'postgres-clients': {
    name: 'PostgreSQL with its commands (psql, pg_dump)',
    variable: 'POSTGRES_CLIENTS',
    how: 'apt-get install postgresql',
    // A server that is not older than pg_dump, so both are taken from one folder.
    find: (given) =>
      (given === undefined ? [...pathFolders(), ...globSync('/usr/lib/postgresql/*/bin')] : [given]).find(
        hasAllOfPostgres,
      ),
  },
  redis: {
    name: 'Redis',
    variable: 'REDIS_SERVER',
    how: 'apt-get install redis-server',
    find: (given) => inPath(given, 'redis-server'),
  },
  chromium: {
    name: 'Chromium',
    variable: 'CHROMIUM',
    how: 'apt-get install chromium',
    find: (given = CHROMIUM) => executable(given),
  },
  python: {
    name: 'Python 3.11 or newer with the packages of sdk/python/requirements.txt',
    variable: 'SDK_PYTHON',
    how: 'python3 -m venv sdk/python/.venv && sdk/python/.venv/bin/pip install --require-hashes -r sdk/python/requirements.txt',
    find: () => (runs(python, '-c', 'import flit_core, mypy, pytest') ? python : undefined),
  },
  cc: {
    name: 'a C compiler, on Linux',
    variable: 'CC',
    how: 'apt-get install gcc libc6-dev',
    find: (given) => {
      const path = process.platform === 'linux' ? inPath(given, 'cc') : undefined;
      // The compiler alone does not bring the headers of the C library.
      return path !== undefined && runs(path, '-E', '-include', 'dlfcn.h', '-x', 'c', '/dev/null') ? path : undefined;
    },
  },
  curl: { name: 'curl', variable: 'CURL', how: 'apt-get install curl', find: (given) => inPath(given, 'curl') },
  openssl: {
    name: 'openssl',
    variable: 'OPENSSL',
    how: 'apt-get install openssl',
    find: (given) => inPath(given, 'openssl'),
  },
  nginx: { name: 'nginx', variable: 'NGINX', how: 'apt-get install nginx', find: (given) => inPath(given, 'nginx') },
  caddy: { name: 'Caddy', variable: 'CADDY', how: 'apt-get install caddy', find: (given) => inPath(given, 'caddy') },
  haproxy: {
    name: 'HAProxy',
    variable: 'HAPROXY',
    how: 'apt-get install haproxy',
    find: (given) => inPath(given, 'haproxy'),
  },
  promtool: {
    name: 'promtool',
    variable: 'PROMTOOL',
    how: 'apt-get install prometheus',
    find: (given) => inPath(given, 'promtool'),
  },
  pgbouncer: {
    name: 'PgBouncer',
    variable: 'PGBOUNCER',
    how: 'apt-get install pgbouncer',
    find: (given) => inPath(given, 'pgbouncer'),
  },
  git: { name: 'git', variable: 'GIT', how: 'apt-get install git', find: (given) => inPath(given, 'git') },
  bash: { name: 'bash', variable: 'BASH', how: 'apt-get install bash', find: (given) => inPath(given, 'bash') },
} as const satisfies Record<string, Program>;

export type ProgramName = keyof typeof table;
export const programs: Readonly<Record<ProgramName, Program>> = table;
export const programNames = Object.keys(table) as ProgramName[]; // its own keys

/** What to do about a missing program. */
export const howToHave = (name: ProgramName): string =>
  `${programs[name].how}, or set ${programs[name].variable} to its place`;

/** Holds what was found at the start of a run of tests; its workers inherit it. */
const FOUND = 'PARLEY_PROGRAMS';
type Found = Partial<Record<ProgramName, string>>;

/**
 * The places of the programs that are here. The first process of a run looks for them, once: a program that is installed
 * during the run is still missing in all of it, so that no test finds what the setup did not.
 */
function foundPrograms(): Readonly<Found> {
  const known = process.env[FOUND];
  if (known !== undefined) return JSON.parse(known) as Found; // written below
  const found: Found = {};
  for (const name of programNames) {
    const place = programs[name].find(process.env[programs[name].variable] || undefined);
    if (place !== undefined) found[name] = place;
  }
  process.env[FOUND] = JSON.stringify(found);
  return found;
}

export const isHere = (name: ProgramName): boolean => foundPrograms()[name] !== undefined;

/** The programs for which the running test file asked; undefined outside of a run of tests. */
let asked: Set<ProgramName> | undefined;

/** Begins a test file, which has asked for nothing. */
export function beginFile(): void {
  asked = new Set();
}

export function noteNeed(names: readonly ProgramName[]): void {
  for (const name of names) asked?.add(name);
}

/**
 * The place of a program that is about to be started. Throws if it is missing, and, so that a forgotten `needs` fails
 * also where every program is installed, if a test file did not ask for it.
 */
export function use(name: ProgramName): string {
  if (asked && !asked.has(name))
    throw new Error(`this test uses ${programs[name].name} without asking for it: needs('${name}')`);
  const place = foundPrograms()[name];
  if (place === undefined) throw new Error(`${programs[name].name} is missing: ${howToHave(name)}`);
  return place;
}

function inPath(given: string | undefined, name: string): string | undefined {
  if (given?.includes('/')) return executable(given);
  for (const folder of pathFolders()) {
    const found = executable(join(folder, given ?? name));
    if (found !== undefined) return found;
  }
  return undefined;
}

const pathFolders = (): string[] => (process.env['PATH'] ?? '').split(delimiter);

/** Whether a folder has the server and the commands that docs/RUNNING.md uses. */
const hasAllOfPostgres = (folder: string): boolean =>
  ['initdb', 'postgres', 'psql', 'pg_dump', 'pg_restore', 'createdb'].every(
    (name) => executable(join(folder, name)) !== undefined,
  );

function executable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}

function runs(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
