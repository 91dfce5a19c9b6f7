import { expect, test } from 'vitest';
import { usernameFrom } from './username-from.ts';

test.each([
  ['Ann Miller', 'ann_miller'],
  ['  Zoë O’Neill-Müller ', 'zoe_oneill_muller'],
  ['Dora Groß', 'dora_gross'],
  ['Łukasz Bjørn', 'lukasz_bjorn'],
  ['Ann 2', 'ann_2'],
  ['안녕', ''],
  ['مرحبا', ''],
  ['', ''],
  ['a'.repeat(31) + ' b', 'a'.repeat(31)],
])('the name %j suggests the username %j', (name, username) => {
  expect(usernameFrom(name)).toBe(username);
});
