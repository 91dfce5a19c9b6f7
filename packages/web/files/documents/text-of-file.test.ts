import { expect, test } from 'vitest';
import { textOfFile } from './text-of-file.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

test('WEB-395: a text is read in UTF-8, in UTF-16, and in what else its bytes say for sure', () => {
  const read = (bytes: Uint8Array<ArrayBuffer>) => textOfFile({ bytes, isCut: false })?.text;
  expect(read(utf8('Grüße\r\nan alle\rhier'))).toBe('Grüße\nan alle\nhier');
  expect(read(utf8('\u{feff}Name'))).toBe('Name');
  expect(read(Uint8Array.of(0xff, 0xfe, 0x41, 0, 0xfc, 0))).toBe('Aü');
  expect(read(Uint8Array.of(0x47, 0x72, 0xfc, 0xdf, 0x65))).toBe('Grüße');
});

test('WEB-395: control characters after the first 4 KiB do not keep a text from being shown', () => {
  const start = 'a line\n'.repeat(700);
  expect(textOfFile({ bytes: utf8(`${start}a\0b\u001b`), isCut: false })?.text).toBe(`${start}a\ufffdb\ufffd`);
});

test('WEB-395: bytes with a single zero are no text', () => {
  expect(textOfFile({ bytes: Uint8Array.of(0x41, 0, 0x42), isCut: false })).toBeNull();
});

test('WEB-395: a text that is cut off ends with a whole line, and within 10,000 lines', () => {
  expect(textOfFile({ bytes: utf8('one\ntwo\nthr'), isCut: true })).toEqual({ text: 'one\ntwo', isCut: true });
  // The last character is cut off too.
  expect(textOfFile({ bytes: utf8('one\nzwö').subarray(0, 7), isCut: true })?.text).toBe('one');
  const long = textOfFile({ bytes: utf8('x\n'.repeat(20_000)), isCut: false });
  expect(long).toEqual({ text: 'x\n'.repeat(10_000).trimEnd(), isCut: true });
  const whole = 'x\n'.repeat(10_000);
  expect(textOfFile({ bytes: utf8(whole), isCut: false })).toEqual({ text: whole, isCut: false });
  expect(textOfFile({ bytes: utf8(`${whole}\n`), isCut: false })?.isCut).toBe(true);
});
