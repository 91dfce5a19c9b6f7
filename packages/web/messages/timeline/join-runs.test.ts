import { expect, test } from 'vitest';
import { gatherJoins } from './join-runs.ts';

const join = { kind: 'joined_by_invite' };
const at = (day: number) => new Date(2026, 10, day, 12).toISOString();
/** Ids begin with `j` for joins, `n` for other notices and `m` for messages; days begin with the digit of an id. */
const messageOf = (id: string) => ({
  created_at: at(Number(id.slice(1, 2))),
  ...(id.startsWith('j') && { service: join }),
  ...(id.startsWith('n') && { service: { kind: 'other' } }),
});

test('joins in a row of one day share the row of the last one', () => {
  const { ids, joinsBefore, rowOf } = gatherJoins(['m1a', 'j1a', 'j1b', 'j1c', 'm1b', 'j1d', 'n1', 'j1e'], messageOf);
  expect(ids).toEqual(['m1a', 'j1c', 'm1b', 'j1d', 'n1', 'j1e']);
  expect(ids.map(joinsBefore)).toEqual([undefined, ['j1a', 'j1b'], undefined, undefined, undefined, undefined]);
  expect(['j1a', 'j1b', 'j1c', 'm1b', 'unknown'].map(rowOf)).toEqual(['j1c', 'j1c', 'j1c', 'm1b', 'unknown']);
});

test('joins of two days have a row each', () => {
  const { ids, joinsBefore } = gatherJoins(['j1a', 'j1b', 'j2a', 'j2b'], messageOf);
  expect(ids).toEqual(['j1b', 'j2b']);
  expect(ids.map(joinsBefore)).toEqual([['j1a'], ['j2a']]);
});
