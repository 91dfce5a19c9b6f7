import { expect, test } from 'vitest';
import { formatNumber, formatOf, formatText, numberFormat } from './number-format.ts';

test.each([
  // Digits, groups, scales and zeros.
  ['0.00', 1.005, '1.01'],
  ['0.00', -0.001, '0.00'],
  ['0%', 0.285, '29%'],
  ['#,##0.00', 1_234_567.891, '1,234,567.89'],
  ['00000', 42, '00042'],
  ['000-00-0000', 123_456_789, '123-45-6789'],
  ['#', 0, ''],
  ['0.##', 1.5, '1.5'],
  ['.00', 19.99, '19.99'],
  ['#,##0,', 1_234_567, '1,235'],
  ['0.0,,"M"', 1_234_567, '1.2M'],
  ['General" kg"', 2.5, '2.5 kg'],
  ['0" dollars and ".00" cents"', 7.25, '7 dollars and .25 cents'],
  // Sections, conditions and currencies.
  ['$#,##0.00;[Red]($#,##0.00)', -1_599.99, '($1,599.99)'],
  ['0;-0;"none"', 0, 'none'],
  ['"yes";"yes";"no"', 0, 'no'],
  [';;;', 5, ''],
  ['[>999999]#,,"M";[>999]#,"K";#', 1_021_021, '1M'],
  ['[>999999]#,,"M";[>999]#,"K";#', 1_021.02, '1K'],
  ['[>999999]#,,"M";[>999]#,"K";#', 10.2, '10'],
  ['[<0]0.0;0.00', -1.25, '-1.3'],
  ['[$€-407] #,##0.00', 2.345, '€ 2.35'],
  ['_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', -1_234.5, '$ (1,234.50)'],
  // Powers of ten and fractions.
  ['0.00E+00', 0.000_001_23, '1.23E-06'],
  ['0.00E+00', -198_356_388, '-1.98E+08'],
  ['0.00E-00', 9.999e5, '1.00E06'],
  ['##0.0E+0', 12_345, '12.3E+3'],
  ['# ??/??', 25.378, '25 31/82'],
  ['# ?/?', 0.5, '1/2'],
  ['# ?/?', 0.99, '1'],
  ['# ?/8', 1.25, '1 2/8'],
  ['?/?', 1.5, '3/2'],
  // Days and times.
  ['yyyy-mm-dd', 1, '1900-01-01'],
  ['d/m/yy', 59, '1900-02-28'],
  ['d/m/yy', 60, '1900-02-29'],
  ['mmmm d', 61, '1900-03-01'],
  ['[$-411]ggge"年"m"月"d"日"', 46_354, '2026-11-28'],
  ['dd/mm/yyyy hh:mm', 46_353.1875, '2026-11-27 04:30'],
  ['h:mm AM/PM', 0.76, '18:14'],
  ['h:mm:ss', 0.5, '12:00:00'],
  ['mm:ss.0', 0.000_011_57, '00:00:01.0'],
  ['[h]:mm:ss', 1.5, '36:00:00'],
  ['[mm]:ss', 0.0625, '90:00'],
  ['[s]', 1.5, '129600'],
  ['[hh]:mm', 0.25, '06:00'],
] as const)('FILE-27: the format %s shows %d as %s', (code, value, shown) => {
  expect(formatNumber(value, formatOf(code), false)).toBe(shown);
});

test('FILE-27: built-in formats need no code, those of East Asian programs are days, and days may begin in 1904', () => {
  const builtIn = (id: string, value: number, is1904 = false) =>
    formatNumber(value, numberFormat(id, new Map([['0', '']])), is1904);
  for (const id of [14, 17, 27, 31, 36, 50, 57, 58]) expect(builtIn(String(id), 46_354)).toBe('2026-11-28');
  expect(builtIn('46', 1.5)).toBe('36:00:00');
  expect(builtIn('44', -5)).toBe('$ (5.00)');
  expect(builtIn('0', 0.1 + 0.2)).toBe('0.3');
  expect(builtIn('14', 0, true)).toBe('1904-01-01');
});

test('FILE-27: a format can put words around a text, or hide it', () => {
  expect(formatText('Ann', formatOf('0;0;0;"Dr. "@'))).toBe('Dr. Ann');
  expect(formatText('Ann', formatOf('@" (new)"'))).toBe('Ann (new)');
  expect(formatText('Ann', formatOf(';;;'))).toBe('');
  expect(formatText('Ann', formatOf('0.00'))).toBe('Ann');
});
