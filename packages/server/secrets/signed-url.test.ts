import { ManualClock } from '@parley/testing';
import { expect, test } from 'vitest';
import type { SecretKey } from './seal.ts';
import { type SignedQuery, SignedUrls } from './signed-url.ts';

const key = (id: string, byte: number): SecretKey => ({ id, bytes: new Uint8Array(32).fill(byte) });
const PATH = '/exports/my-data.json';
const queryOf = (url: string): Record<string, string> => Object.fromEntries(new URL(url, 'http://x').searchParams);

test('EXPORT-1: an address is valid for one account, one path, one purpose, and ten minutes', async () => {
  const clock = new ManualClock();
  const urls = new SignedUrls([key('1', 1)], 'one thing', clock);
  const url = urls.sign(PATH, 36);
  expect(url.startsWith(`${PATH}?`)).toBe(true);
  const query = queryOf(url);
  expect(urls.accountOf(PATH, query)).toBe(36);
  expect(urls.accountOf('/exports/other.json', query)).toBe(null);
  expect(new SignedUrls([key('1', 1)], 'another thing', clock).accountOf(PATH, query)).toBe(null);
  expect(new SignedUrls([key('2', 2)], 'one thing', clock).accountOf(PATH, query)).toBe(null);
  // Also with a key that is no longer the first.
  expect(new SignedUrls([key('2', 2), key('1', 1)], 'one thing', clock).accountOf(PATH, query)).toBe(36);
  await clock.advance(599_000);
  expect(urls.accountOf(PATH, query)).toBe(36);
  await clock.advance(1_000);
  expect(urls.accountOf(PATH, query)).toBe(null);
});

test('EXPORT-1: an address with any change is invalid', () => {
  const urls = new SignedUrls([key('1', 1)], 'one thing', new ManualClock());
  const query = queryOf(urls.sign(PATH, 36));
  const wrong: SignedQuery[] = [
    {},
    { ...query, a: '11' },
    { ...query, a: '' },
    { ...query, e: String(Number(query['e']) + 1) },
    { ...query, e: `0${query['e'] ?? ''}` },
    { ...query, e: '1e99' },
    { ...query, s: '' },
    { ...query, s: `${query['s'] ?? ''}AAAA` },
    { ...query, s: 'A'.repeat(43) },
    // A parameter given twice is parsed as a list.
    { ...query, a: ['10', '10'] },
  ];
  for (const one of wrong) expect([one, urls.accountOf(PATH, one)]).toEqual([one, null]);
});
