import { execFile } from 'node:child_process';
import { globSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { whySkipped } from './chromium-place.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = `${root}dist/index.html`;

/** Before the tests in Chromium: the app is built where a source is newer than what was built last. */
export default async function buildApp(): Promise<void> {
  if (whySkipped !== null) return void process.stdout.write(`${whySkipped}\n`);
  if (isBuilt()) return undefined;
  // In a process of its own: this one's NODE_ENV is that of tests, which would make a development build.
  const vite = join(createRequire(import.meta.url).resolve('vite/package.json'), '../bin/vite.js');
  const env = { ...process.env, NODE_ENV: 'production' };
  try {
    await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'error'], { cwd: root, env });
  } catch (error) {
    // Nobody may take what was built before for this: the tests find no app, and fail.
    rmSync(page, { force: true });
    process.stderr.write(`the web app could not be built: ${String(error)}\n`);
  }
  return undefined;
}

function isBuilt(): boolean {
  const builtAt = statSync(page, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync('../{web,client,protocol}/**/*.{ts,tsx,json,css,html,svg,webmanifest}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**', '**/test/**', '**/*.test.ts'],
  });
  return sources.every((name) => statSync(join(root, name)).mtimeMs < builtAt);
}
