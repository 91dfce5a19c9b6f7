import { expect, test } from 'vitest';
import { SCAN_ROWS, scanNext } from './reading-plan.ts';

test('LOG-9: a scan that goes on reads as many events as probably contain the missing ones', () => {
  const limit = 1_000;
  expect(scanNext({ scanned: 0, found: 0, limit })).toBe(limit);
  // Every second event matched: 250 missing ones are probably within 500.
  expect(scanNext({ scanned: 1_500, found: 750, limit })).toBe(500 + 64);
  expect(scanNext({ scanned: 1_000, found: 999, limit })).toBe(2 + 64);
  // However few matched, at most twice the limit is read at once.
  expect(scanNext({ scanned: 1_000, found: 0, limit })).toBe(2 * limit);
  expect(scanNext({ scanned: 100, found: 1, limit: 100 })).toBe(200);
});

test('LOG-9: a scan reads a limited number of events, whatever matches', () => {
  for (const limit of [1, 100, 1_000])
    for (const share of [0, 0.001, 0.5, 0.99]) {
      let scanned = 0;
      while (scanned < SCAN_ROWS) {
        const size = scanNext({ scanned, found: Math.min(limit - 1, Math.floor(scanned * share)), limit });
        expect(size).toBeGreaterThan(0);
        scanned += size;
      }
      expect(scanned).toBe(SCAN_ROWS);
    }
});
