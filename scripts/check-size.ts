import { type Entry, gzippedBytes, sizeLimits } from '../packages/client/bundle-size.ts';

// Prints how many bytes the SDK adds to a bundle; fails if that exceeds the limit.

for (const [entry, limit] of Object.entries(sizeLimits)) {
  const bytes = await gzippedBytes(entry as Entry); // a key of the limits
  process.stdout.write(`${entry}: ${bytes} of ${limit} bytes, gzipped\n`);
  if (bytes >= limit) process.exitCode = 1;
}
