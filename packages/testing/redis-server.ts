import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';
import { tie } from './lifeline.ts';

/** Another process may take the free port before Redis does. */
const MOST_TRIES = 5;
export const HOW_REDIS = 'install redis-server, or name one in REDIS_SERVER';

/** The installed server: `REDIS_SERVER`, or the one of that name in the path. */
function findServer(): string | undefined {
  const { REDIS_SERVER: given, PATH: path = '' } = process.env;
  const places = given === undefined ? path.split(delimiter).map((folder) => join(folder, 'redis-server')) : [given];
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export const redisIsHere = (): boolean => findServer() !== undefined;

/** A Redis of a test's own: on loopback, in memory alone. */
export class RedisServer {
  readonly port: number;
  readonly #password: string;
  readonly #folder: string;
  #process: ChildProcess;

  constructor(port: number, password: string, folder: string, started: ChildProcess) {
    this.port = port;
    this.#password = password;
    this.#folder = folder;
    this.#process = started;
  }

  get url(): string {
    return `redis://${this.#password === '' ? '' : `:${this.#password}@`}127.0.0.1:${this.port}`;
  }

  /** Ends it at once, and with it all that it knew. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await gone;
  }

  /** Starts it again, empty, where it was. */
  async restart(): Promise<void> {
    await this.kill();
    this.#process = await run(this.port, this.#password, this.#folder);
  }

  /** It takes connections and answers nothing, until `resume`. */
  pause(): void {
    this.#process.kill('SIGSTOP');
  }

  resume(): void {
    this.#process.kill('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** An empty password is none. */
export async function startRedis({ password = '' } = {}): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-redis-'));
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    try {
      return new RedisServer(port, password, folder, await run(port, password, folder));
    } catch (error) {
      if (tries < MOST_TRIES) continue;
      rmSync(folder, { recursive: true });
      throw error;
    }
  }
}

async function run(port: number, password: string, folder: string): Promise<ChildProcess> {
  const server = findServer();
  if (server === undefined) throw new Error(`there is no Redis: ${HOW_REDIS}`);
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'no',
    databases: 1,
    requirepass: password,
  };
  const options = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const started = spawn(server, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  tie(started);
  const lines: string[] = [];
  for await (const line of createInterface({ input: started.stdout })) {
    lines.push(line);
    if (!line.includes('Ready to accept connections')) continue;
    started.stdout.resume();
    return started;
  }
  throw new Error(`redis-server has not started: ${lines.slice(-3).join(' | ')}`);
}
