import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const web = join(import.meta.dirname, '..');

/** How many rules have the same declarations as another rule. Lower it when there are fewer. */
const MOST = 92;

/** The declarations of a sheet's rules, in an order of their own. */
const bodiesOf = (sheet: string): string[] =>
  [...sheet.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/\{([^{}]*)\}/g)].map(([, body = '']) =>
    body
      .split(';')
      .map((declaration) => declaration.trim().replaceAll(/\s+/g, ' '))
      .filter((declaration) => declaration !== '')
      .toSorted()
      .join('; '),
  );

test('the bodies of style rules recur no more often than before: shared looks are in primitives.css', () => {
  // What the page shows at first stands alone: shared looks have not loaded yet.
  const sheets = globSync('**/*.css', { cwd: web, exclude: ['node_modules/**', 'dist/**', 'opening/**'] });
  const bodies = sheets
    .flatMap((path) => bodiesOf(readFileSync(join(web, path), 'utf8')))
    .filter((body) => body !== '');
  const counts = Map.groupBy(bodies, (body) => body);
  const recurring = [...counts.values()].filter(({ length }) => length > 1).flat().length;
  expect(recurring).toBeLessThanOrEqual(MOST);
});
