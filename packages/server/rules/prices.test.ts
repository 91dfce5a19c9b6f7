import fc from 'fast-check';
import { expect, test } from 'vitest';
import { priceOf } from './prices.ts';

const rate = { currency: 'USD', input: 2_500_000, output: 10_000_000 };
const price = (input_tokens: number, output_tokens: number, of = rate) =>
  priceOf(of, { input_tokens, output_tokens }).micros;

test('PRICE-2: a price is rounded once, half up, to whole millionths', () => {
  expect(priceOf(rate, { input_tokens: 60, output_tokens: 40 })).toEqual({ currency: 'USD', micros: 550 });
  expect([price(0, 0), price(1, 0), price(3, 0), price(2, 0)]).toEqual([0, 3, 8, 5]);
  // Neither half is rounded before the sum.
  expect(price(1, 1, { ...rate, input: 500_000, output: 500_000 })).toBe(1);
  expect(price(1, 0, { ...rate, input: 499_999 })).toBe(0);
});

test('PRICE-2: the largest rate and the largest usage are exact', () => {
  const dearest = { ...rate, input: 1e12, output: 1e12 };
  expect(price(1e9, 1e9, dearest)).toBe(2e15);
  expect(price(999_999_999, 1, { ...dearest, output: 1 })).toBe(999_999_999_000_000);
});

test('PRICE-2: many small requests differ from one large request by at most half a millionth each', () => {
  const tokens = fc.integer({ min: 0, max: 100_000 });
  fc.assert(
    fc.property(fc.array(fc.tuple(tokens, tokens), { maxLength: 50 }), (requests) => {
      const sum = requests.reduce((total, [input, output]) => total + price(input, output), 0);
      const [input, output] = [0, 1].map((at) => requests.reduce((total, one) => total + (one[at] ?? 0), 0));
      expect(Math.abs(sum - price(input ?? 0, output ?? 0))).toBeLessThanOrEqual((requests.length + 1) / 2);
    }),
  );
});
