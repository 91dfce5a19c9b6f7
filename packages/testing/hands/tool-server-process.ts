import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { tie } from '../servers/lifeline.ts';
import { processEnv } from '../servers/process-env.ts';

const program = fileURLToPath(new URL('tool-server-child.ts', import.meta.url));

/** What a tool has carried out, as its server wrote it down. */
export interface Execution {
  order: string;
  callId: string;
  tool: string;
  fails: boolean;
}

/** A server of tools in its own process, always at the same address, which remembers what it has carried out. */
export class ToolServerProcess implements AsyncDisposable {
  kills = 0;
  origin = '';
  readonly #folder = mkdtempSync(join(tmpdir(), 'parley-tools-'));
  readonly #executions = join(this.#folder, 'executions');
  readonly #era: string;
  #child: ChildProcess | null = null;

  private constructor(era: string) {
    this.#era = era;
  }

  static async start(era: 'sessions' | 'stateless'): Promise<ToolServerProcess> {
    const server = new ToolServerProcess(era);
    writeFileSync(server.#executions, '');
    await server.start();
    return server;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  get executions(): Execution[] {
    const lines = readFileSync(this.#executions, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Execution); // as the child writes them
  }

  async start(): Promise<void> {
    const port = this.origin === '' ? '0' : new URL(this.origin).port;
    const child = spawn(process.execPath, [program], {
      env: { ...processEnv(), TOOL_PORT: port, EXECUTIONS: this.#executions, ERA: this.#era },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    tie(child);
    this.#child = child;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the server of tools ended with ${code}`)));
    this.origin = await promise;
  }

  /** Kills it with SIGKILL. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    this.kills += 1;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
