// The crash test: the real process, killed repeatedly under load.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ApiError } from '@parley/client';
import { SqliteConnection } from '@parley/server/store/engines/sqlite.ts';
import { processEnv } from '../servers/process-env.ts';
import { type Stage, type Watcher } from '../world/actor.ts';
import { tie } from '../servers/lifeline.ts';
import type { SeenThreads } from '../model/client-state.ts';
import type { TestSocket } from '../world/test-socket.ts';
import { turnOfLoop } from '../clocks/turn-of-loop.ts';

const program = fileURLToPath(new URL('../../server/main.ts', import.meta.url));

const OPEN_REPLIES = `SELECT (SELECT count(*) FROM streams) + (SELECT count(*) FROM turns
  WHERE runner = 'server' AND state IN ('queued', 'streaming')) AS count`;

interface Options {
  /** DATA_DIR; by default a new folder. It is removed at the end. */
  folder?: string;
  watcher?: Watcher;
}

/** The service as its own process, always at the same address and on the same data. */
export class ServiceProcess implements Stage {
  readonly watcher: Watcher | undefined;
  readonly threads: SeenThreads = new Map();
  readonly problems: string[] = [];
  kills = 0;
  readonly #env: Readonly<Record<string, string>>;
  readonly #folder: string;
  readonly #sockets: TestSocket[] = [];
  #child: ChildProcess | null = null;
  #ready = Promise.withResolvers<void>();
  #url = '';

  constructor(env: Readonly<Record<string, string>>, { folder, watcher }: Options = {}) {
    this.#env = env;
    this.#folder = folder ?? mkdtempSync(join(tmpdir(), 'parley-crash-'));
    this.watcher = watcher;
  }

  get url(): string {
    return this.#url;
  }

  /** Resolves when the service accepts requests. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  keep(socket: TestSocket): void {
    this.#sockets.push(socket);
  }

  report(problem: string): void {
    this.problems.push(problem);
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [program], {
      env: {
        ...processEnv(),
        DATA_DIR: this.#folder,
        PORT: this.#url === '' ? '0' : new URL(this.#url).port,
        RATE_LIMITS: '0',
        LINK_PREVIEWS: '0',
        MAX_UNKNOWN_CONNECTIONS: '100000',
        LOG_LEVEL: 'error',
        ...this.#env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    tie(child);
    this.#child = child;
    const log: string[] = [];
    const url = Promise.withResolvers<string>();
    for (const output of [child.stdout, child.stderr])
      createInterface({ input: output }).on('line', (line) => {
        const { msg, url: address, level } = JSON.parse(line) as { msg?: string; url?: string; level: number };
        log.push(line);
        if (msg === 'ready' && address !== undefined) url.resolve(address);
        else if (level >= 50) this.report(line);
      });
    child.once('exit', (code) => url.reject(new Error(`the service ended with ${code}:\n${log.join('\n')}`)));
    this.#url = await url.promise;
    this.#ready.resolve();
  }

  /** Kills it with SIGKILL. */
  async kill(): Promise<void> {
    this.#ready = Promise.withResolvers();
    this.kills += 1;
    await this.#end('SIGKILL');
  }

  /** Stops it with SIGTERM. */
  async stop(): Promise<void> {
    this.#ready = Promise.withResolvers();
    await this.#end('SIGTERM');
  }

  /** Replies that are being written, and agents' turns that are queued or running. */
  get openReplies(): number {
    return this.#rows<{ count: number }>(OPEN_REPLIES)[0]?.count ?? 0;
  }

  /** Reads directly from the database. */
  async sql<Row>(sql: string): Promise<Row[]> {
    return this.#rows<Row>(sql);
  }

  #rows<Row>(sql: string): Row[] {
    const connection = new SqliteConnection(join(this.#folder, 'parley.db'), { readOnly: true });
    try {
      return connection.all<Row, []>({ sql });
    } finally {
      connection.close();
    }
  }

  /** Repeats until the service lives long enough to answer. */
  async insist<Value>(act: () => Promise<Value>): Promise<Value> {
    for (;;) {
      await this.ready;
      try {
        return await act();
      } catch (error) {
        // Any failure except an error of the service, or its shutdown: it is unknown whether the call was executed.
        if (error instanceof ApiError && error.status !== 503) throw error;
        await turnOfLoop();
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#sockets.filter(({ isOpen }) => isOpen).map((socket) => socket.terminate()));
    await this.#end('SIGTERM');
    rmSync(this.#folder, { recursive: true, force: true });
    this.problems.push(...this.#sockets.flatMap(({ problems }) => problems));
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }
}
