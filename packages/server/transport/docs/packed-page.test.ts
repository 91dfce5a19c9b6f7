import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atAddress, lengthOf, packPage } from './packed-page.ts';

const HERE = 'https://parley.invalid';

test('API-18: a packed page is the page at any address, plain and as gzip', () => {
  const pieces = fc.array(fc.string({ unit: 'grapheme', maxLength: 2_000 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(pieces, fc.webUrl(), (texts, address) => {
      const page = atAddress(packPage(texts.join(HERE), HERE), address);
      const expected = texts.join(address);
      expect(Buffer.concat(page.plain).toString()).toBe(expected);
      expect(gunzipSync(Buffer.concat(page.packed())).toString()).toBe(expected);
      expect(lengthOf(page.plain)).toBe(Buffer.byteLength(expected));
    }),
  );
});

test('API-18: the ETag depends on the page, and on the address if that is in it', () => {
  const etag = (text: string, address: string) => atAddress(packPage(text, HERE), address).etag;
  expect(etag(`at ${HERE}`, 'http://a')).not.toBe(etag(`at ${HERE}`, 'http://b'));
  expect(etag('nowhere', 'http://a')).toBe(etag('nowhere', 'http://b'));
  expect(etag('nowhere', 'http://a')).not.toBe(etag('somewhere', 'http://a'));
});
