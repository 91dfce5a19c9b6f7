import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PostgresConnection } from '@parley/server/store/engines/postgres.ts';
import { use } from '../programs/programs.ts';
import { freePort } from './free-port.ts';
import { findPostgres, giveToOwner, openToOwner, owner, type PostgresBinaries } from './postgres-binaries.ts';
import { databasesOf, type PostgresDatabases } from './postgres-databases.ts';
import { childrenOf } from './process-children.ts';

export interface PostgresOptions {
  /** Commits wait for the disk, as in production: for tests that kill the server, and for measurements. */
  isDurable?: boolean;
  /** Further settings by name. */
  settings?: Readonly<Record<string, string>>;
  /** Its superuser. */
  user?: string;
  /** A folder with other programs than those of most tests. */
  programs?: string;
  /** The server is a copy of this one, which it follows as its standby until it is promoted. */
  standbyOf?: PostgresServer;
}

/** A separate server for one test. */
export interface PostgresServer extends PostgresDatabases {
  readonly port: number;
  /** The folder of its data. */
  readonly data: string;
  /** Kills the server; resolves when it has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same data; resolves when it accepts connections. */
  restart(): Promise<void>;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
}

const USER = 'parley';

const always = {
  listen_addresses: '127.0.0.1',
  max_connections: '300',
  max_locks_per_transaction: '256',
  shared_buffers: '64MB',
  autovacuum_naptime: '10s',
  log_min_messages: 'fatal',
};
const careless = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Stops the server and removes its data when its input closes, which also happens if its parent is killed. */
const LIFELINE = `trap : INT TERM HUP; cat >/dev/null
pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null &&
  while kill -0 "$pid" 2>/dev/null; do sleep 0.02; done
rm -rf "$1"`;

export async function startPostgres({
  isDurable = false,
  settings = {},
  user = USER,
  programs,
  standbyOf,
}: PostgresOptions = {}): Promise<PostgresServer> {
  const found = programs === undefined ? ofMostTests() : { folder: programs };
  if (!found) throw new Error('PostgreSQL has gone');
  const folder = mkdtempSync(join(tmpdir(), 'parley-postgres-'));
  const data = join(folder, 'data');
  giveToOwner([folder]);
  const binaries = openToOwner(found, folder);
  const libraries = linkLibraries(binaries, folder);
  giveToOwner(libraries.made);
  const environment = { ...withoutSettings(process.env), ...libraries.set, LC_ALL: 'C', TZ: 'UTC' };
  const options = { ...owner, env: environment, cwd: folder };
  const lifeline = spawn('/bin/sh', ['-c', LIFELINE, 'lifeline', folder], {
    ...options,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  unref(lifeline);

  const run = (program: string, args: string[]): ChildProcess =>
    spawn(join(binaries.folder, program), args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const initArgs = ['-D', data, '-U', user, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  const failed = (error: unknown): never => {
    lifeline.stdin.end();
    throw error;
  };
  if (standbyOf) await copyOf(standbyOf, data).catch(failed);
  else await ended(run('initdb', initArgs), 'initdb').catch(failed);

  const port = await freePort();
  const all = {
    ...always,
    ...(isDurable ? {} : careless),
    port: String(port),
    unix_socket_directories: folder,
    ...(standbyOf && { primary_conninfo: `host=127.0.0.1 port=${standbyOf.port} user=${USER}` }),
    ...settings,
  };
  const args = ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const start = async (): Promise<ChildProcess> => {
    const child = run('postgres', args);
    await isReady(child, join(data, 'postmaster.pid'));
    unref(child);
    return child;
  };
  /** Retries while children that outlived the killed server for a moment still hold the data directory. */
  const startAgain = async (tries = 50): Promise<ChildProcess> => {
    try {
      return await start();
    } catch (error) {
      if (tries === 0 || !String(error).includes('still in use')) throw error;
      await pause(100);
      return startAgain(tries - 1);
    }
  };
  let server = await start().catch(failed);

  const gone = async (child: ChildProcess): Promise<void> => {
    child.ref();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  const databases = databasesOf(`postgres://${user}@127.0.0.1:${port}`);
  return {
    ...databases,
    port,
    data,
    async kill(signal) {
      // The server's child processes could answer for a moment after it has been killed.
      const all = signal === 'SIGKILL' ? childrenOf(server) : [];
      server.kill(signal);
      for (const child of all) endQuietly(child);
      await gone(server);
    },
    async restart() {
      await gone(server);
      server = await startAgain();
    },
    async stop() {
      lifeline.stdin.end();
      await gone(lifeline);
      await gone(server);
    },
  };
}

function ofMostTests(): PostgresBinaries | undefined {
  use('postgres');
  return findPostgres();
}

/** Copies the data of a running server, as pg_basebackup does, which not every package of PostgreSQL has. */
async function copyOf({ url, data: source }: PostgresServer, data: string): Promise<void> {
  const connection = await PostgresConnection.open({ url: url('postgres') });
  try {
    await connection.exec("SELECT pg_backup_start('a standby', true)");
    // Keeps owners and modes. Files that vanish meanwhile do not matter: the log of the server repeats what was done.
    await ended(spawn('cp', ['-a', source, data], { stdio: ['ignore', 'ignore', 'pipe'] }), 'cp').catch(() => {});
    const label = await connection.get<{ labelfile: string }, []>({
      sql: 'SELECT labelfile FROM pg_backup_stop(false)',
    });
    rmSync(join(data, 'postmaster.pid'), { force: true });
    const made = { backup_label: label?.labelfile ?? '', 'standby.signal': '' };
    const { uid, gid } = statSync(data);
    for (const [name, text] of Object.entries(made)) {
      writeFileSync(join(data, name), text);
      chownSync(join(data, name), uid, gid);
    }
  } finally {
    await connection.close();
  }
}

function endQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/** This child does not keep the process alive; the lifeline ends it. */
function unref(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stderr]) if (stream instanceof Socket) stream.unref();
}

/**
 * Waits for the line `ready` in the server's status file, after which it accepts connections. Rejects with the server's
 * output if it ends first.
 */
async function isReady(child: ChildProcess, statusFile: string): Promise<void> {
  const failure = ended(child, 'postgres').then(() => Promise.reject(new Error('postgres has ended')));
  failure.catch(() => undefined); // After the server is ready, its end no longer rejects.
  const looks = async (): Promise<void> => {
    while (child.exitCode === null && child.signalCode === null) {
      if (/^ready\s*$/m.test(readIfThere(statusFile)) && readIfThere(statusFile).startsWith(`${child.pid}\n`)) return;
      // The file is the only sign that it is ready.
      await new Promise((resolve) => void setTimeout(resolve, 10));
    }
    await failure;
  };
  await Promise.race([failure, looks()]);
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

async function ended(child: ChildProcess, name: string): Promise<void> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(child, 'close')) as [number | null]; // Node's documented type
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${said.trim()}`);
}

/** The environment without those settings of the caller that libpq or the server would read. */
const withoutSettings = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(PG|LC_|LANG)/.test(name)));

/** The folder with the links that we created, and the variable with which a program finds them. */
function linkLibraries({ libraries }: PostgresBinaries, folder: string): { made: string[]; set: NodeJS.ProcessEnv } {
  if (!libraries) return { made: [], set: {} };
  const links = join(folder, 'lib');
  mkdirSync(links, { mode: 0o755 });
  for (const [name, file] of libraries.links) symlinkSync(file, join(links, name));
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return { made: [links], set: { [variable]: [links, libraries.folder].join(delimiter) } };
}
