import { encryptedOffice, olderEncryptedOffice } from '@parley/testing/files/encrypted-office.ts';
import { textRows, xlsx } from '@parley/testing/files/office-files.ts';
import { expect, test } from 'vitest';
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
  expect(await outcome(encryptedOffice(workbook, EXCELS, 100_001))).toBe('locked');
  // Every byte may be wrong.
  const file = encryptedOffice(workbook, EXCELS, 1);
  for (let at = 0; at < file.length; at += 97) {
    const damaged = Buffer.from(file);
    damaged.writeUInt8((damaged[at] ?? 0) ^ 0xff, at);
    expect(await outcome(damaged)).toEqual(expect.anything());
  }
});
