import { execFile } from 'node:child_process';
import { globSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = `${root}dist/index.html`;

/** Builds the app before the Chromium tests if a source is newer than the last build. */
export default async function buildApp(): Promise<void> {
  if (isBuilt()) return undefined;
  // In its own process: this one's NODE_ENV=test would make a development build.
  const vite = join(createRequire(import.meta.url).resolve('vite/package.json'), '../bin/vite.js');
  const env = { ...process.env, NODE_ENV: 'production' };
  try {
    await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'error'], { cwd: root, env });
  } catch (error) {
    // Remove the old build, so that the tests fail instead of testing it.
    rmSync(page, { force: true });
    process.stderr.write(`the web app could not be built: ${String(error)}\n`);
  }
  return undefined;
}

function isBuilt(): boolean {
  const builtAt = statSync(page, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync(
    '../{web,client,markdown,office,protocol,react}/**/*.{ts,tsx,json,css,html,svg,webmanifest}',
    {
      cwd: root,
      exclude: ['**/node_modules/**', '**/dist/**', '**/test/**', '**/*.test.ts'],
    },
  );
  return sources.every((name) => statSync(join(root, name)).mtimeMs < builtAt);
}
