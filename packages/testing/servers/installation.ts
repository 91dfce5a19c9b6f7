import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runAdmin } from '@parley/server/admin/command.ts';
import { systemClock } from '@parley/server/core/clock.ts';
import { Actor, type Stage } from '../world/actor.ts';
import { processEnv } from './process-env.ts';
import { tie } from './lifeline.ts';
import type { SeenThreads } from '../model/client-state.ts';
import type { TestSocket } from '../world/test-socket.ts';

export const password = 'correct horse battery staple';
const main = fileURLToPath(import.meta.resolve('@parley/server/main.ts'));

export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** An installed service: a folder, a process that starts and stops, and the admin command beside it. */
export class Installation implements Stage, AsyncDisposable {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'parley-installed-'));
  url = '';
  readonly watcher = undefined;
  readonly threads: SeenThreads = new Map();
  readonly #problems: string[] = [];
  readonly #sockets = new Set<TestSocket>();
  #child: ChildProcess | null = null;

  /** The process id of the running service. */
  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('no service is running');
    return this.#child.pid;
  }

  env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    // Actors know the address, so a restarted service must have the same one.
    const PORT = this.url === '' ? '0' : new URL(this.url).port;
    return {
      ...processEnv(),
      DATA_DIR: this.dataDir,
      PORT,
      RATE_LIMITS: '0',
      LINK_PREVIEWS: '0',
      MAX_UNKNOWN_CONNECTIONS: '100000',
      LOG_LEVEL: 'error',
      ...more,
    };
  }

  /** Resolves when the service is ready, or to its output if it refused to start. */
  async start(more: Readonly<Record<string, string>> = {}): Promise<string> {
    const child = spawn(process.execPath, [main], { env: this.env(more), cwd: this.dataDir });
    tie(child);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    for await (const line of createInterface({ input: child.stdout })) {
      // The service logs one JSON object per line.
      const { msg, url } = JSON.parse(line) as { msg?: string; url?: string };
      if (msg !== 'ready' || url === undefined) continue;
      this.url = url;
      this.#child = child;
      // Any output after the start is an error.
      child.stdout.on('data', (text: Buffer) => this.report(text.toString())).resume();
      return said;
    }
    return said;
  }

  /** SIGTERM lets it end gracefully, SIGKILL does not. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  /** Runs the admin command on this folder. */
  async admin(args: string, input = '', env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    let [out, err] = ['', ''];
    const stdin = new PassThrough();
    stdin.end(input);
    const code = await runAdmin(args.split(' '), {
      env: this.env(env),
      clock: systemClock,
      stdin,
      stdout: { write: (text: string) => void (out += text) },
      stderr: { write: (text: string) => void (err += text) },
    });
    return { code, out, err };
  }

  file(name: string): string {
    return join(this.dataDir, name);
  }

  visitor(token = '', username = ''): Actor {
    return new Actor(this, username, token);
  }

  /** A person who signed up. */
  async member(username: string): Promise<Actor> {
    const { token } = await this.visitor().api.signUp({ username, password });
    return this.visitor(token, username);
  }

  async signIn(username: string, secret = password): Promise<Actor> {
    const { token } = await this.visitor().api.signIn({ username, password: secret, device: { name: 'a phone' } });
    return this.visitor(token, username);
  }

  keep(socket: TestSocket): void {
    this.#sockets.add(socket);
  }

  report(problem: string): void {
    this.#problems.push(problem);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGKILL');
    await Promise.all([...this.#sockets].map(({ closed }) => closed));
    rmSync(this.dataDir, { recursive: true, force: true });
    this.#problems.push(...[...this.#sockets].flatMap(({ problems }) => problems));
    if (this.#problems.length > 0) throw new Error(`the installation ended badly:\n${this.#problems.join('\n')}`);
  }
}
