import { expect, test } from 'vitest';
import { FocusOrder } from './focus-order.ts';

test('CAPS-7: a wsFocus that ends after a later one does not undo its focus', () => {
  const order = new FocusOrder();
  const [first, second, third] = [order.begin(), order.begin(), order.begin()];
  expect([second, first, third].map((place) => order.apply(place))).toEqual([true, false, true]);
});
