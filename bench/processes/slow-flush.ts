// Loaded into a service before it starts: each flush of its write-ahead log takes as long as on a slow disk.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const FLUSH_MS = 3;
const flush = fs.fdatasyncSync;
const never = new Int32Array(new SharedArrayBuffer(4));
fs.fdatasyncSync = (descriptor) => {
  Atomics.wait(never, 0, 0, FLUSH_MS);
  flush(descriptor);
};
syncBuiltinESMExports();
