import { compoundFile, encryptedOffice, olderEncryptedOffice } from '@parley/testing/files/encrypted-office.ts';
import { textRows, xlsx } from '@parley/testing/files/office-files.ts';
import { expect, test } from 'vitest';
import { streamsOf } from './compound-file.ts';
import { OfficeFailure, readOffice, textOf } from './index.ts';

const EXCELS = 'VelvetSweatshop';
const outcome = async (bytes: Uint8Array) =>
  readOffice(new Uint8Array(bytes), { characters: 100_000, rows: 500, columns: 50 }).then(textOf, (error: unknown) =>
    error instanceof OfficeFailure && error.isLocked ? 'locked' : error,
  );
const noise = Array.from({ length: 900 }, (_, at) => `${(at * 7_919) % 10_007}`);
const workbook = xlsx({
  sheets: { S: textRows(['open'], noise.slice(0, 40)) },
  shared: noise.map((text) => `<t>${text}</t>`),
});

test('FILE-27: a workbook with the password that Excel opens without asking is read, in both methods', async () => {
  expect(workbook.length).toBeGreaterThan(4_096);
  expect(await outcome(encryptedOffice(workbook, EXCELS))).toMatch(/^# Sheet: S\nopen\n/);
  expect(await outcome(olderEncryptedOffice(workbook, EXCELS))).toMatch(/^# Sheet: S\nopen\n/);
});

test('FILE-27: a workbook with another password, or whose key takes too many rounds, is locked', async () => {
  expect(await outcome(encryptedOffice(workbook, 'other'))).toBe('locked');
  expect(await outcome(olderEncryptedOffice(workbook, 'other'))).toBe('locked');
  expect(await outcome(encryptedOffice(workbook, EXCELS, { count: 100_001 }))).toBe('locked');
  for (const bytes of [8, 64])
    expect(await outcome(encryptedOffice(workbook, EXCELS, { saltBytes: bytes, dataSaltBytes: bytes }))).toMatch(
      /open/,
    );
  expect(await outcome(encryptedOffice(workbook, EXCELS, { saltBytes: 80 }))).toBe('locked');
  expect(await outcome(encryptedOffice(workbook, EXCELS, { dataSaltBytes: 65 }))).toBe('locked');
  // Every byte may be wrong.
  const file = encryptedOffice(workbook, EXCELS, { count: 1 });
  for (let at = 0; at < file.length; at += 97) {
    const damaged = Buffer.from(file);
    damaged.writeUInt8((damaged[at] ?? 0) ^ 0xff, at);
    expect(await outcome(damaged)).toEqual(expect.anything());
  }
});

test('FILE-27: a chain of small sectors that is a circle ends with as many as the file has', () => {
  const file = compoundFile({ Shared: Buffer.alloc(512), Small: Buffer.alloc(512) });
  const directory = 3 * 512;
  // All streams are small, sector 1 says that the first small sector follows itself, and the root's stream is sector 0.
  file.writeUInt32LE(0xffff_ffff, 56);
  file.writeUInt32LE(1, 60);
  file.writeUInt32LE(0, directory + 116);
  file.writeUInt32LE(0x7fff_ffff, directory + 128 + 120);
  expect(streamsOf(new Uint8Array(file))('Shared')?.length).toBe(512);
});
