import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStorageContract } from '@parley/testing/contracts/file-storage-contract.ts';
import { DiskStorage } from './disk-files.ts';

fileStorageContract('a folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-storage-'));
  return {
    storage: new DiskStorage(join(folder, 'stored')),
    close: async () => rmSync(folder, { recursive: true }),
  };
});
