import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '@parley/testing';

/** All that is written down, as it lies on the disk. */
export const storedBytes = ({ dataDir }: World): Buffer =>
  Buffer.concat(
    ['parley.db', 'parley.db-wal']
      .map((name) => join(dataDir, name))
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file)),
  );
