// For tests: the suite's bot in its own process, in any language.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { tie } from '../servers/lifeline.ts';
import { processEnv } from '../servers/process-env.ts';
import { python, pythonEnv, sdkFolder } from './python.ts';

export interface SuiteOptions {
  turnsAtOnce?: number;
  turnsWaiting?: number;
  /** How far the bot's clock is ahead. */
  aheadS?: number;
  /** The time that other daemons have to end their replies passes when the test says so. */
  holdsTime?: boolean;
  /** The bot has a `catch` of its own. */
  catches?: boolean;
}

/** What the bot reports: the name of an event, and its details. */
export type Report = Readonly<Record<string, unknown>> & { readonly event: string };

export interface Language {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const javascript: Language = {
  name: 'JavaScript',
  command: [process.execPath, fileOf('suite-bot.ts')],
};
export const pythonLanguage: Language = {
  name: 'Python',
  command: [python, `${sdkFolder}/tests/suite_bot.py`],
  env: pythonEnv,
};

export class SuiteBotProcess implements AsyncDisposable {
  readonly reports: Report[] = [];
  /** What it printed on stderr: nothing, as long as nothing fails. */
  said = '';
  readonly #child: ChildProcess;
  #hasClosed = false;
  #onReport: () => void = () => {};

  constructor({ command, env }: Language, url: string, token: string, options: SuiteOptions = {}) {
    const [program, ...args] = command;
    this.#child = spawn(program, [...args, JSON.stringify(options)], {
      env: { ...processEnv(), ...env, PARLEY_URL: url, PARLEY_TOKEN: token },
    });
    tie(this.#child);
    const { stdout, stderr, stdin } = this.#child;
    stderr?.setEncoding('utf8').on('data', (text: string) => (this.said += text));
    this.#child.once('close', () => {
      this.#hasClosed = true;
      this.#onReport();
    });
    // It may have ended when a command is written.
    stdin?.on('error', () => {});
    if (!stdout) throw new Error('the process has no output');
    createInterface(stdout).on('line', (line) => {
      this.reports.push(JSON.parse(line) as Report); // as the bot writes them
      this.#onReport();
    });
  }

  /** The first report of an event that fits, or the next one. */
  async report(event: string, fits: (report: Report) => boolean = () => true): Promise<Report> {
    for (;;) {
      const found = this.all(event).find(fits);
      if (found) return found;
      if (this.#hasClosed) throw new Error(`the bot ended without the report ${event}: ${this.said}`);
      await new Promise<void>((resolve) => (this.#onReport = resolve));
    }
  }

  all(event: string): Report[] {
    return this.reports.filter((report) => report.event === event);
  }

  write(source: string, text: string): void {
    this.#command({ source, write: text });
  }

  end(source: string): void {
    this.#command({ source, end: true });
  }

  fail(source: string, error: string): void {
    this.#command({ source, fail: error });
  }

  /** Lets the held time pass. */
  elapse(): void {
    this.#command({ elapse: true });
  }

  /** Stops the bot; running answers may go on for so many seconds. */
  stop(graceS: number): void {
    this.#command({ stop: graceS });
  }

  /** Resolves to the exit code once the process has ended. */
  async ended(): Promise<number | null> {
    if (!this.#hasClosed) await once(this.#child, 'close');
    return this.#child.exitCode;
  }

  async kill(): Promise<void> {
    if (this.#hasClosed) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  #command(command: Readonly<Record<string, unknown>>): void {
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`);
  }
}
