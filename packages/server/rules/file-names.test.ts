import fc from 'fast-check';
import { expect, test } from 'vitest';
import { disposition, safeName } from './file-names.ts';

test.each([
  ['notes.txt', 'notes.txt'],
  ['/etc/passwd', 'passwd'],
  ['..\\..\\windows\\system.ini', 'system.ini'],
  ['..', 'file'],
  // Composed, both are shorter: the name begins behind the last slash of the composed path.
  ['u\u0308ber/a\u0308.txt', 'ä.txt'],
  ['', 'file'],
  ['  .hidden. ', 'hidden'],
  ['a\u0000b\u001fc\u007f\u0085.txt', 'abc.txt'],
  // A program that obeys the direction mark displays "gnp.exe".
  ['\u202egnp.exe', 'gnp.exe'],
  ['\u2066a\u2069\u200b\ufeff.txt', 'a.txt'],
  ['a<b>:"|?*.txt', 'a_b______.txt'],
  ['\ud800.txt', '\ufffd.txt'],
  ['grüße 👩‍👩‍👧.png', 'grüße 👩‍👩‍👧.png'],
  [`${'x'.repeat(300)}.jpeg`, `${'x'.repeat(250)}.jpeg`],
  [`${'ü'.repeat(200)}.txt`, `${'ü'.repeat(125)}.txt`],
])('FILE-8: %j is called %j', (given, name) => {
  expect(safeName(given)).toBe(name);
});

test('FILE-8: any name is limited in length and fits into a header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (given) => {
      const name = safeName(given);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      expect(name).not.toMatch(/[\p{Cc}/\\\u202a-\u202e]/u);
      expect(name.length).toBeGreaterThan(0);
      expect(safeName(name)).toBe(name);
      const header = disposition('attachment', name);
      expect(header).toMatch(/^attachment; filename="[^"\\]*"; filename\*=UTF-8''[\w.!~%-]*$/);
      expect(decodeURIComponent(header.replace(/.*''/, ''))).toBe(name);
    }),
  );
});
