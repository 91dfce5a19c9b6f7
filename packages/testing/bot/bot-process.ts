// For tests: a bot in its own process, as users run it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { processEnv } from '../servers/process-env.ts';
import { tie } from '../servers/lifeline.ts';

export class BotProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  /** Output of the process so far; empty as long as nothing fails. */
  said = '';
  #onText: () => void = () => {};

  /** `args` are those of `command`, by default Node. */
  constructor(
    args: readonly string[],
    { cwd, env, command = process.execPath }: { cwd: string; env: Readonly<Record<string, string>>; command?: string },
  ) {
    this.#child = spawn(command, args, { cwd, env: { ...processEnv(), ...env } });
    tie(this.#child);
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.said += text;
        this.#onText();
      });
  }

  /** Resolves once the output contains the text. */
  async says(text: string): Promise<void> {
    while (!this.said.includes(text)) await new Promise<void>((resolve) => (this.#onText = resolve));
  }

  /** Resolves to the exit code once the process has ended. */
  async ended(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'close');
    return this.#child.exitCode;
  }

  /** Sends a signal, by default SIGINT, like Ctrl-C; resolves to the exit code, or null if the signal ended the process. */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit');
      this.#child.kill(signal);
      await exited;
    }
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
