import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BundleContents, bundled, stateOf, versionOf } from './bundled-code.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
let folder: string;
let source: string;
let contents: BundleContents;
const write = (written: unknown): void => writeFileSync(path.join(folder, 'contents.json'), JSON.stringify(written));
const program = (): string | null => bundled('start', pathToFileURL(`${folder}/`));

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-bundle-'));
  source = path.join(folder, 'source.ts');
  writeFileSync(source, 'export const one = 1;');
  const file = path.relative(root, source);
  const zod = 'node_modules/zod/package.json';
  contents = { files: [{ path: file, ...stateOf(file) }], packages: [{ path: zod, version: versionOf(zod) }] };
  write(contents);
});
afterEach(() => rmSync(folder, { recursive: true }));

test('OPS-4: a bundle of the sources and packages that are here is used', () => {
  expect(program()).toBe(pathToFileURL(path.join(folder, 'start.mjs')).href);
});

test.each<[string, () => void]>([
  ['a source has another size', () => writeFileSync(source, 'export const one = 12;')],
  ['a source has changed at another time', () => utimesSync(source, 1, 1)],
  ['a source is gone', () => rmSync(source)],
  [
    'a package has another version',
    () => write({ ...contents, packages: contents.packages.map((one) => ({ ...one, version: '0.0.1' })) }),
  ],
  ['the list of its contents is missing', () => rmSync(path.join(folder, 'contents.json'))],
  ['the list of its contents is cut off', () => writeFileSync(path.join(folder, 'contents.json'), '{"files":[')],
])('OPS-4: the sources run themselves if %s', (_, change) => {
  change();
  expect(program()).toBeNull();
});
