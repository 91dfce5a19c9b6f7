import { expect, test } from 'vitest';
import { checkText } from './check-text.ts';

const error = (code: 'forbidden' | 'rate_limited' | 'not_found' | 'unavailable', description = '') => ({
  code,
  description,
});

test.each([
  [3, /^The key works\.$/, false],
  [0, /gives it no models/, true],
  [error('forbidden', 'The provider refused the API key of this agent (401).'), /doesn’t accept this key/, true],
  [error('forbidden', 'The provider refused the API key of this agent (403): no access.'), /doesn’t accept/, true],
  [error('forbidden', 'The provider rejected the request (402): no credit.'), /no credit/, true],
  [error('rate_limited'), /saved.*too many requests/, false],
  [error('not_found'), /saved.*can’t check it/, false],
  [error('unavailable'), /saved.*can’t be reached/, false],
  [null, /saved.*can’t be reached/, false],
])('the answer %j to a key says %s', (answer, text, isRefused) => {
  expect(checkText('Anthropic', answer)).toEqual({ text: expect.stringMatching(text), isRefused });
});
