import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { processEnv } from '../servers/process-env.ts';
import { tie } from '../servers/lifeline.ts';

const program = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
const shiftedClock = fileURLToPath(new URL('shifted-clock.ts', import.meta.url));

interface Options {
  env: Readonly<Record<string, string>>;
  /** Offset of the clock of the node's machine. */
  clockShiftMs?: number;
}

/** One node of a cluster as its own process. */
export class NodeProcess {
  readonly url: string;
  /** Everything that the node logged except the `ready` line: errors. */
  readonly errors: readonly string[];
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(child: ChildProcess, folder: string, url: string, errors: readonly string[]) {
    this.#child = child;
    this.#folder = folder;
    this.url = url;
    this.errors = errors;
    this.ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string | null); // Node's documented types
  }

  /** Resolves when the node accepts requests. */
  static async start({ env, clockShiftMs = 0 }: Options): Promise<NodeProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'parley-node-'));
    const preload = clockShiftMs === 0 ? [] : ['--import', shiftedClock];
    const child = spawn(process.execPath, [...preload, program], {
      env: {
        ...processEnv(),
        DATA_DIR: folder,
        PORT: '0',
        RATE_LIMITS: '0',
        LINK_PREVIEWS: '0',
        MAX_UNKNOWN_CONNECTIONS: '100000',
        LOG_LEVEL: 'error',
        CLOCK_SHIFT_MS: String(clockShiftMs),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    tie(child);
    const errors: string[] = [];
    const url = Promise.withResolvers<string>();
    for (const output of [child.stdout, child.stderr])
      createInterface({ input: output }).on('line', (line) => {
        const { msg, url: address } = JSON.parse(line) as { msg?: string; url?: string }; // a line of its log
        if (msg === 'ready' && address !== undefined) url.resolve(address);
        else errors.push(line);
      });
    child.once('exit', (code) => url.reject(new Error(`the node ended with ${code}:\n${errors.join('\n')}`)));
    try {
      return new NodeProcess(child, folder, await url.promise, errors);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  /** Sends a signal and resolves to how the process ended. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string | null> {
    if (this.isRunning) this.#child.kill(signal);
    const how = await this.ended;
    rmSync(this.#folder, { recursive: true, force: true });
    return how;
  }
}
