// Runs the tests that ask for programs which `npm ci` does not bring, on a machine that seems to have none of them: each
// test must pass, or be skipped with a line that says how to have the program. .ci/run, whose other tests have all of
// them, runs this too.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { programNames, programs } from '../packages/testing/programs/programs.ts';
import { saysHowToHave } from './plain-reporter.ts';
import { isLong } from './test-split.ts';

/** What is in every system, besides the shell. */
const POSIX =
  'sh env cat sleep kill head tail rm mkfifo ls cp mv mkdir dirname basename sed uname tr grep date id true false test ' +
  'echo printf chmod ln pwd readlink wc sort touch expr';

/** A folder with the commands of a bare machine. */
function bareCommands(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bare-'));
  for (const name of [...POSIX.split(' '), 'npm']) {
    const place = (process.env['PATH'] ?? '')
      .split(delimiter)
      .map((one) => join(one, name))
      .find(isExecutable);
    if (place !== undefined) symlinkSync(place, join(folder, name));
  }
  symlinkSync(process.execPath, join(folder, 'node'));
  return folder;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The test files that ask for a program, outside of the projects that are left out as a whole. */
const asking = globSync('{packages,bench,scripts}/**/*.test.ts', {
  exclude: ['**/node_modules/**', 'packages/web/test/**', 'scripts/packages/trials/**', 'scripts/{clients,world}/**'],
}).filter((file) => /\b(?:needs|describeWith\w+|describeCluster)\(/.test(readFileSync(file, 'utf8')));

const commands = bareCommands();
const { CI: _, ...others } = process.env;
const nowhere = Object.fromEntries(programNames.map((name) => [programs[name].variable, '/nowhere']));
const env = { ...others, ...nowhere, PATH: commands };

/** Runs vitest; resolves with its output, and whether it succeeded. */
async function run(...args: readonly string[]): Promise<{ output: string; isGreen: boolean }> {
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => process.stdout.write(chunk));
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { output, isGreen: code === 0 };
}

const runs = [
  // Whole files: what of them needs no program must pass.
  await run('--project', 'service', '--project', 'alone', ...asking.filter((file) => !isLong(file))),
  // Of files that take long, only the tests that ask; and what is left out as a whole.
  await run('--tags-filter', 'program', ...asking.filter(isLong), 'packages/web/test/app/'),
  // Programs of others, none of which is here.
  await run('--project', 'world', '--mode', 'world'),
];
rmSync(commands, { recursive: true });

const problems = runs.some(({ isGreen }) => !isGreen) ? ['a test failed'] : [];
for (const name of programNames) {
  if (!runs.some(({ output }) => saysHowToHave(output, name)))
    problems.push(`no line says how to have ${programs[name].name}`);
}
for (const problem of problems) process.stdout.write(`without any of these programs: ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
