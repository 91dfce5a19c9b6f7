// An older build of the service, to measure it in turn with this one: a worktree of its commit in a temporary folder.
import { spawn, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

export interface OlderBuild {
  commit: string;
  /** Its bundle, main.js, if it has one; otherwise main.ts. */
  entry: string;
}

/** The newest release, or, without one, the newest commit that is a week old. */
const RELEASE = 'release';

const BUNDLE = 'scripts/bundle-service.ts';

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

function commitOf(name: string): string {
  if (name !== RELEASE) return git('rev-parse', '--verify', `${name}^{commit}`);
  const [tag] = git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-v:refname').split('\n');
  return tag ? git('rev-parse', `${tag}^{commit}`) : git('rev-list', '-1', '--before=1 week ago', 'HEAD');
}

/** What `scripts/prepare.ts` runs for the server, each if the checkout has it: without it a start makes it itself. */
const preparations: readonly { needs: string; command: readonly [string, ...string[]] }[] = [
  { needs: 'packages/guide/build.ts', command: ['npm', 'run', 'build', '--workspace', 'packages/guide'] },
  { needs: 'scripts/record-samples.ts', command: ['npm', 'run', 'samples'] },
  { needs: BUNDLE, command: [process.execPath, BUNDLE] },
];

/**
 * Checks out a commit and builds its server as `npm ci` does. `name` may also be the main.js or main.ts of a build that
 * is there.
 */
export async function buildOlder(name: string): Promise<OlderBuild> {
  if (/\.[jt]s$/.test(name)) return { commit: name, entry: path.resolve(name) };
  const commit = commitOf(name);
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-against-'));
  const checkout = path.join(folder, 'parley');
  process.on('exit', () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    git('worktree', 'prune');
  });
  git('worktree', 'add', '--detach', checkout, commit);
  await run(checkout, 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  const has = (file: string): boolean => existsSync(path.join(checkout, file));
  if (has(BUNDLE))
    for (const { needs, command } of preparations) if (has(needs)) await run(checkout, command[0], command.slice(1));
  const compile = 'packages/server/compile.ts';
  if (has(compile)) await run(checkout, process.execPath, [compile]);
  const entry = ['packages/server/main.js', 'packages/server/main.ts'].find(has);
  if (entry === undefined) throw new Error(`${commit} has no service that could be started`);
  return { commit: git('describe', '--always', '--tags', commit), entry: path.join(checkout, entry) };
}

async function run(cwd: string, command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${String(code)} in ${cwd}`);
}
