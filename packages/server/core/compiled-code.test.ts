import { execFileSync } from 'node:child_process';
import { processEnv } from '@parley/testing/servers/process-env.ts';
import { expect, test } from 'vitest';

const program = `
  import { getCompileCacheDir } from 'node:module';
  import { Worker } from 'node:worker_threads';
  const { keepCompiledCode } = await import(${JSON.stringify(new URL('./compiled-code.ts', import.meta.url).href)});
  keepCompiledCode();
  const inThread = 'import { getCompileCacheDir } from "node:module"; import { parentPort } from "node:worker_threads";' +
    'parentPort.postMessage(getCompileCacheDir() ?? null)';
  new Worker(new URL('data:text/javascript,' + encodeURIComponent(inThread))).on('message', (thread) =>
    console.log(JSON.stringify({ main: getCompileCacheDir() ?? null, thread })));`;

function foldersWith(env: Record<string, string>): { main: string | null; thread: string | null } {
  const { NODE_COMPILE_CACHE: _, ...rest } = processEnv();
  const text = execFileSync(process.execPath, ['--input-type=module', '-e', program], { env: { ...rest, ...env } });
  return JSON.parse(text.toString()) as ReturnType<typeof foldersWith>; // as the program prints it
}

test('a process and its threads keep compiled code in node_modules, unless that is turned off', () => {
  const kept = foldersWith({});
  expect(kept.main).toContain('/node_modules/.cache/parley/');
  expect(kept.thread).toBe(kept.main);
  expect(foldersWith({ NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual({ main: null, thread: null });
});
