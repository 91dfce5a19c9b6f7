import { expect, test } from 'vitest';
import { jsonBytes } from '../rules/reply-parts.ts';
import { OpenParts } from './open-parts.ts';

test('PART-9: of a duration that replaces another one only the newest counts', () => {
  const parts = new OpenParts([]);
  const thought = { id: 't', type: 'reasoning' as const };
  parts.grow({ ...thought, append: 'é"', text_offset: 3 }, 0);
  for (const [at, duration_ms] of [7, 1_000, 20, 20].entries())
    parts.grow({ ...thought, append: at === 3 ? '\n' : '', text_offset: at === 3 ? 4 : 3, duration_ms }, 0);
  expect(parts.list).toEqual([{ ...thought, offset: 0, text: 'é"\n', duration_ms: 20 }]);
  expect(parts.bytes).toBe(jsonBytes(parts.list[0]));
});
