import { expect, test } from 'vitest';
import { RecentIds } from './recent-ids.ts';

test('BOTSDK-3: remembers recent ids, up to its limit', () => {
  const ids = new RecentIds(2);
  expect(['a', 'b', 'a', 'c', 'b', 'a'].map((id) => ids.add(id))).toEqual([true, true, false, true, false, true]);
});
