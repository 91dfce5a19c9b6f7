import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { documented } from '../documents/code-blocks.ts';
import { createWorld } from '../world/world.ts';

const file = fileURLToPath(new URL('../../client/example.ts', import.meta.url));

test('SDK-25: the example of docs/SDK.md runs as printed', async () => {
  expect(documented('docs/SDK.md', 'store')).toBe(await readFile(file, 'utf8'));
  await using world = await createWorld();
  const env = { ...process.env, PARLEY_URL: world.url, PARLEY_TOKEN: 'dev:alice' };
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
  expect(stdout).toBe('Hello, me: waiting\nHello, me: stored\n');
});
