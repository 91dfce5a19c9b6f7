import { type Entry, gzippedBytes, sizeLimits } from '../packages/client/bundle-size.ts';

// What the SDK weighs in somebody's bundle; fails when it has grown past its limits.

for (const [entry, limit] of Object.entries(sizeLimits)) {
  const bytes = await gzippedBytes(entry as Entry); // a key of the limits
  process.stdout.write(`${entry}: ${bytes} of ${limit} bytes, gzipped\n`);
  if (bytes >= limit) process.exitCode = 1;
}
