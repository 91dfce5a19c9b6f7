import { expect, test } from 'vitest';
import { meanOfPrices, money, sumOfPrices } from './money.ts';

const usd = (micros: number) => ({ currency: 'USD', micros });

test.each([
  [0, '$0.00'],
  [1, '$0.000001'],
  [550, '$0.00055'],
  [1_234, '$0.0012'],
  [50_000, '$0.05'],
  [500_000, '$0.50'],
  [999_999, '$1.00'],
  [12_345_678, '$12.35'],
  [1_234_567_890_000, '$1,234,567.89'],
])('%i millionths of a dollar are %s', (micros, text) => {
  expect(money([usd(micros)])).toBe(text);
});

test('a mean is known in one currency only', () => {
  expect(meanOfPrices([[usd(3)], [usd(6)]])).toEqual([usd(5)]);
  expect(meanOfPrices([[usd(8)]], 4)).toEqual([usd(2)]);
  expect(meanOfPrices([])).toEqual([]);
  expect(meanOfPrices([[usd(3)], [{ currency: 'JPY', micros: 3 }]])).toEqual([]);
});

test('amounts in different currencies stay apart', () => {
  const yen = { currency: 'JPY', micros: 3_000_000 };
  expect(money(sumOfPrices([[usd(1_000_000), yen], [], [usd(500_000)]]))).toBe('$1.50 + ¥3');
  expect(money(sumOfPrices([[]]))).toBe('');
});
