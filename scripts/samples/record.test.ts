import { samples } from '@parley/protocol/samples';
import { expect, test } from 'vitest';
import { recordSamples } from './record.ts';

test('API-5: the samples match what the service answers; `npm run samples` updates them', async () => {
  const recorded = await recordSamples();
  expect(recorded).toEqual(samples);
}, 60_000); // hundreds of calls, some of which hash passwords

test('API-5: the samples contain no token', () => {
  const text = JSON.stringify(samples);
  const tokens = new Set([...text.matchAll(/["/]((?:s|mb|i|wh)_[\w-]{20,})"/g)].map(([, token]) => token));
  expect(tokens).toEqual(
    new Set([`s_${'x'.repeat(43)}`, `mb_${'x'.repeat(43)}`, `i_${'x'.repeat(43)}`, `wh_${'x'.repeat(43)}`]),
  );
});
