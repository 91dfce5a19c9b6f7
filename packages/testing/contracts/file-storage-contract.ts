import { mkdtempSync, rmSync, existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { FileStorage } from '@parley/server/files/storage.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

interface StorageUnderTest {
  storage: FileStorage;
  close(): Promise<void>;
}

const NAME = '019b75d0-0000-7000-8000-000000000001';

/** The behaviour that all engines of the file storage port share. */
export function fileStorageContract(name: string, open: () => Promise<StorageUnderTest>): void {
  describe(`${name} as a file storage`, () => {
    let at: StorageUnderTest;
    let folder: string;
    beforeEach(async () => {
      at = await open();
      folder = mkdtempSync(join(tmpdir(), 'parley-local-'));
    });
    afterEach(async () => {
      await at.close();
      rmSync(folder, { recursive: true });
    });

    const put = async (name: string, bytes: string | Buffer) => {
      const local = join(folder, 'local');
      writeFileSync(local, bytes);
      await at.storage.keep(name, local);
      expect(existsSync(local)).toBe(false);
    };
    const read = async (name: string, range?: { first: number; last: number }) => {
      const stream = await at.storage.read(name, range);
      return stream && (await buffer(stream)).toString();
    };
    const list = async () => (await Array.fromAsync(at.storage.list())).toSorted();

    test('FILE-2: a stored file can be read, completely and in ranges', async () => {
      await put(NAME, '0123456789');
      expect(await read(NAME)).toBe('0123456789');
      expect(await read(NAME, { first: 0, last: 0 })).toBe('0');
      expect(await read(NAME, { first: 3, last: 9 })).toBe('3456789');
      const large = Buffer.alloc(3_000_000, 'abcdefg');
      await put(`${NAME}-large`, large);
      expect((await read(`${NAME}-large`))?.length).toBe(large.length);
      await put(`${NAME}-empty`, '');
      expect(await read(`${NAME}-empty`)).toBe('');
    });

    test('FILE-4: reading an unknown name gives nothing', async () => {
      expect(await read(NAME)).toBeUndefined();
      await put(NAME, 'x');
      expect(await read(`${NAME}-thumbnail`)).toBeUndefined();
    });

    test('FILE-12: a removed file is gone, and removing it again is not an error', async () => {
      await put(NAME, 'x');
      await at.storage.remove(NAME);
      await at.storage.remove(NAME);
      expect(await read(NAME)).toBeUndefined();
      await put(NAME, 'y');
      expect(await read(NAME)).toBe('y');
    });

    test('FILE-12: all names are listed', async () => {
      expect(await list()).toEqual([]);
      for (const name of [NAME, `${NAME}-thumbnail`, 'avatar-AbC_-0']) await put(name, 'x');
      expect(await list()).toEqual([NAME, `${NAME}-thumbnail`, 'avatar-AbC_-0']);
    });

    test('FILE-8: a name that leads outside the storage is refused', async () => {
      for (const name of ['', '..', '../x', 'a/b/c/d', 'abc\u0000d', 'x'.repeat(100)]) {
        await expect(put(name, 'x')).rejects.toThrow('invalid name');
        await expect(read(name)).rejects.toThrow('invalid name');
      }
    });
  });
}
