import { expect, test } from 'vitest';
import { type Entry, gzippedBytes, sizeLimits } from './bundle-size.ts';

test.each(Object.entries(sizeLimits))(
  'SDK-23: the %s is under %i bytes gzipped, and depends on nothing',
  async (entry, limit) => {
    const bytes = await gzippedBytes(entry as Entry); // a key of the limits
    process.stdout.write(`${entry}: ${bytes} bytes gzipped\n`);
    expect(bytes).toBeLessThan(limit);
  },
);
