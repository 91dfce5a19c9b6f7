import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const web = join(import.meta.dirname, '..');

/** The classes that a component looks up by a literal in a sheet that lacks them. */
function missingIn(path: string): string[] {
  const code = readFileSync(path, 'utf8');
  return [...code.matchAll(/^import (\w+) from '(\..*\.module\.css)';/gm)].flatMap(([, name = '', sheet = '']) => {
    const css = readFileSync(resolve(dirname(path), sheet), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
    const classes = new Set([...css.matchAll(/\.([a-z]\w*)/gi)].map(([, found]) => found));
    return [...code.matchAll(new RegExp(`\\b${name}\\['(\\w+)'\\]`, 'g'))]
      .filter(([, key]) => !classes.has(key))
      .map(([lookup]) => `${path}: ${lookup}`);
  });
}

test('every class that a component looks up is in the sheet that it imports', () => {
  const components = globSync('**/*.tsx', { cwd: web, exclude: ['node_modules/**', 'dist/**'] });
  expect(components.flatMap((path) => missingIn(join(web, path)))).toEqual([]);
});

test('every primitive that a component or a sheet names is in primitives.css, and each one there is named', () => {
  const files = globSync('**/*.{ts,tsx,css}', {
    cwd: web,
    exclude: ['node_modules/**', 'dist/**', 'test/**', '**/*.test.ts', 'styles/**'],
  });
  const named = files.flatMap((path) =>
    [...readFileSync(join(web, path), 'utf8').matchAll(/(?<=['" ])ui-[a-z-]+(?=['" ])/g)].map(([name]) => name),
  );
  const primitives = readFileSync(join(web, 'styles/primitives.css'), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const defined = [...primitives.matchAll(/\.(ui-[a-z-]+)/g)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set(defined));
});
