import { execFile } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { use } from '../programs/programs.ts';
import { processEnv } from '../servers/process-env.ts';
import { BotProcess } from '../bot/bot-process.ts';

/** From here the packages of the repository can be imported. */
const here = fileURLToPath(new URL('.', import.meta.url));

type Env = Readonly<Record<string, string>>;

/** Runs a documented program in JavaScript to its end, in `cwd`; returns what it prints. */
export async function printed(code: string, env: Env, cwd: string = here): Promise<string> {
  const args = ['--input-type=module', '--eval', code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, env: { ...processEnv(), ...env } });
  return stdout;
}

/** Starts a documented program that runs until it is stopped. Imports are resolved from `cwd`. */
export const started = (code: string, env: Env, cwd: string = here): BotProcess =>
  new BotProcess(['--input-type=module', '--eval', code], { cwd, env });

/** Runs documented commands of a shell, and returns what they print. A command that fails ends them. */
export async function shell(code: string, env: Env, cwd: string = here): Promise<string> {
  const { PATH = '', ...others } = processEnv();
  const path = /\bcurl\b/.test(code) ? `${dirname(use('curl'))}${delimiter}${PATH}` : PATH;
  const options = { cwd, env: { ...others, PATH: path, ...env } };
  const { stdout } = await promisify(execFile)(use('bash'), ['-euo', 'pipefail', '-c', code], options);
  return stdout;
}
