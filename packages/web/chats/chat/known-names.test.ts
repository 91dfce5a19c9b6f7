import { expect, test } from 'vitest';
import { withNames } from './known-names.ts';

const names: Record<string, string> = { bob: 'Bob Hill', 'bob:gpt': 'GPT' };

test.each([
  ['hi @bob, and @Bob:gpt!', 'hi @Bob Hill, and @GPT!'],
  ['@carol and mail@bob', '@carol and mail@bob'],
  ['@bob: yes', '@Bob Hill: yes'],
])('%j with names is %j', (text, shown) => {
  expect(withNames(text, (username) => names[username])).toBe(shown);
});
