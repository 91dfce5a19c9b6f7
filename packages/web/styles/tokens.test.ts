import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
// What the page shows at first stands alone: the tokens have not loaded yet.
const sheets = globSync('**/*.css', {
  cwd: root,
  exclude: ['dist/**', 'node_modules/**', 'opening/**', 'styles/tokens.css'],
});

/** For each property that chooses among the tokens, what its value may not contain. */
const refused: readonly (readonly [property: RegExp, value: RegExp])[] = [
  [/^font(-size)?$/, /\d(px|rem)/],
  [/^font-weight$/, /\d/],
  [/^line-height$/, /^\d*\.\d/],
  [/^border(-\w+)*-radius$/, /\d(px|rem|em)/],
  // A hairline is no distance.
  [/^(padding|margin|gap|row-gap|column-gap)(-\w+)*$/, /(?<![\d.])(?!0px|1px)[\d.]+(px|rem)/],
  [/^(width|height)$/, /^1[3-9]px/],
  [/^(min-)?(width|height)$/, /^44px/],
];
/** A value that is computed from tokens may name other lengths. */
const withoutFunctions = (value: string) => value.replaceAll(/\b(calc|min|max)\(.*\)/g, '');

test('sizes of text and icons, weights, corners and distances are tokens in every style sheet', () => {
  expect(sheets.length).toBeGreaterThan(80);
  const found = sheets.flatMap((name) =>
    [...readFileSync(join(root, name), 'utf8').matchAll(/^\s*([\w-]+): ([^;]+);/gm)]
      .filter(([, property = '', value = '']) =>
        refused.some(([of, no]) => of.test(property) && no.test(withoutFunctions(value))),
      )
      .map(([line]) => `${name}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
