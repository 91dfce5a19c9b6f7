import { expect, test } from 'vitest';
import { tableOfText } from './table-of-text.ts';

test.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a;b\n1,5;2',
    [
      ['a', 'b'],
      ['1,5', '2'],
    ],
  ],
  [
    'a\tb\n\n1\t',
    [
      ['a', 'b'],
      ['1', ''],
    ],
  ],
  [
    'name,said\n"Ann ""the"" first","one,\ntwo"\n',
    [
      ['name', 'said'],
      ['Ann "the" first', 'one,\ntwo'],
    ],
  ],
  ['"open,x\ny', [['open,x\ny']]],
  ['"a"b,c', [['ab', 'c']]],
  ['', []],
])('WEB-396: the rows of %j', (text, rows) => {
  expect(tableOfText(text)).toEqual({ rows, isCut: false });
});

test('WEB-396: at most 500 rows, 50 columns and 1,000 characters of a cell are shown', () => {
  expect(tableOfText('a,b\n'.repeat(500)).isCut).toBe(false);
  const long = tableOfText('a,b\n'.repeat(501));
  expect([long.rows.length, long.isCut]).toEqual([500, true]);
  const wide = tableOfText('x,'.repeat(60));
  expect([wide.rows[0]?.length, wide.isCut]).toEqual([50, true]);
  const big = tableOfText(`${'y'.repeat(1_001)},z`);
  expect([big.rows[0]?.[0]?.length, big.isCut]).toEqual([1_001, true]);
});
