import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { inSources } from './source-stacks.ts';

test('a stack names the places of the sources, and other files as they are', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-stacks-'));
  const map = { version: 3, sources: ['../core/one.ts'], names: [], mappings: 'AAAA;AACA' };
  writeFileSync(path.join(folder, 'start.mjs.map'), JSON.stringify(map));
  const stack = (second: string): string =>
    `Error: no\n    at one (${second})\n    at two (node:fs:1:2)\n    at file:///elsewhere/start.mjs:2:1`;
  const source = path.resolve(folder, '../core/one.ts');
  expect(inSources(stack(`file://${folder}/start.mjs:2:1`), folder)).toBe(stack(`${source}:2:1`));
  expect(inSources(stack(`file://${folder}/other.mjs:2:1`), folder)).toBe(stack(`file://${folder}/other.mjs:2:1`));
  rmSync(folder, { recursive: true });
});
