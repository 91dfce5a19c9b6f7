import { expect, test } from 'vitest';
import { type Entry, gzippedBytes, sizeLimits } from './bundle-size.ts';

test.each(Object.entries(sizeLimits))(
  'SDK-23: the %s has less than %i bytes gzipped and loads no other package',
  async (entry, limit) => {
    const bytes = await gzippedBytes(entry as Entry); // a key of the limits
    process.stdout.write(`${entry}: ${bytes} bytes gzipped\n`);
    expect(bytes).toBeLessThan(limit);
  },
);
