import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { use } from '../programs/programs.ts';
import { freePort } from './free-port.ts';
import { tie } from './lifeline.ts';

/** Maximum attempts to start, because another process may take the free port first. */
const MAX_TRIES = 5;

/** A separate Redis for one test: on loopback, in memory only. */
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

  /** Kills it, which loses all its data. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await gone;
  }

  /** Starts it again, empty, on the same port. */
  async restart(): Promise<void> {
    await this.kill();
    this.#process = await run(this.port, this.#password, this.#folder);
  }

  /** Suspends it until `resume`: it accepts connections but answers nothing. */
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

/** An empty password means none. */
export async function startRedis({ password = '' } = {}): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-redis-'));
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    try {
      return new RedisServer(port, password, folder, await run(port, password, folder));
    } catch (error) {
      if (tries < MAX_TRIES) continue;
      rmSync(folder, { recursive: true });
      throw error;
    }
  }
}

async function run(port: number, password: string, folder: string): Promise<ChildProcess> {
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
  const started = spawn(use('redis'), options, { stdio: ['ignore', 'pipe', 'inherit'] });
  tie(started);
  const lines: string[] = [];
  for await (const line of createInterface({ input: started.stdout })) {
    lines.push(line);
    if (!line.includes('Ready to accept connections')) continue;
    started.stdout.resume();
    return started;
  }
  throw new Error(`redis-server failed to start: ${lines.slice(-3).join(' | ')}`);
}
