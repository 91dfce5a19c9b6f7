import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { FOLDER_PREFIX, installedNode, serviceEnv, type ThrowawayService } from './throwaway.ts';

/** How long a service may take to end by itself. */
const STOP_MS = 25_000;
/** Lines of the log that an error shows. */
const SHOWN_LINES = 20;

/** A service of its own on a free port, with its data in a temporary folder. */
export class ServiceProcess implements ThrowawayService {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #atExit: () => void;

  private constructor(url: string, child: ChildProcess, folder: string, atExit: () => void) {
    this.url = url;
    this.#child = child;
    this.#folder = folder;
    this.#atExit = atExit;
  }

  /** Resolves when the service accepts requests; rejects with what it has printed if it does not start. */
  static async start(checkout: string, env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
    const node = installedNode(checkout);
    const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX));
    const child = spawn(node, [join(checkout, 'packages/server/main.ts')], {
      // Not the checkout: its .env file is for another service.
      cwd: folder,
      env: { PATH: process.env['PATH'], ...serviceEnv(folder, env) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // A test run that ends early leaves no service behind.
    const atExit = (): void => void child.kill('SIGKILL');
    process.once('exit', atExit);
    try {
      return new ServiceProcess(await addressOf(child), child, folder, atExit);
    } catch (error) {
      process.off('exit', atExit);
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Ends the service and removes its data. A second call changes nothing. */
  async stop(): Promise<void> {
    process.off('exit', this.#atExit);
    const child = this.#child;
    if (child.exitCode === null && child.signalCode === null) {
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      clearTimeout(timer);
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** The service prints a line with its address when it is ready. */
async function addressOf(child: ChildProcess): Promise<string> {
  const lines: string[] = [];
  return new Promise((resolve, reject) => {
    for (const input of [child.stdout, child.stderr]) {
      if (!input) continue;
      createInterface({ input }).on('line', (line) => {
        if (lines.push(line) > SHOWN_LINES) lines.shift();
        const url = readyAt(line);
        if (url !== undefined) resolve(url);
      });
    }
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`the service ended with code ${code} before it was ready:\n${lines.join('\n')}`)),
    );
  });
}

function readyAt(line: string): string | undefined {
  // A line of the service's log; others are of its libraries.
  const [, url] = /^\{.*"msg":"ready".*\}$/.test(line) ? (/"url":"([^"]+)"/.exec(line) ?? []) : [];
  return url;
}
