import { samples } from '@parley/protocol/samples.ts';
import { expect, test } from 'vitest';
import { recordSamples } from './record.ts';

/** What a value is made of, without what may differ from run to run. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}

test('API-5: the samples are what the service answers today; `npm run samples` writes them anew', async () => {
  const recorded = await recordSamples();
  expect(shapeOf(recorded)).toEqual(shapeOf(samples));
}, 60_000); // hundreds of calls, and passwords are slow to work on

test('API-5: no token is in them', () => {
  const text = JSON.stringify(samples);
  const tokens = new Set([...text.matchAll(/["/]((?:s|mb|i)_[\w-]{20,})"/g)].map(([, token]) => token));
  expect(tokens).toEqual(new Set([`s_${'x'.repeat(43)}`, `mb_${'x'.repeat(43)}`, `i_${'x'.repeat(43)}`]));
});
