import { expect, test } from 'vitest';
import { asksFirst, callOptions, grantedBy, type Granted, grantsOf } from './asking-calls.ts';

const call = {
  approval: 'writes',
  identity: 'asker',
  writes: true,
  isGroup: false,
  isTainted: false,
  granted: null,
} as const;

test('CALL-7: by the approval of its server, a call asks never, if it may write, or always', () => {
  const asks = (['never', 'writes', 'always'] as const).map((approval) =>
    [true, false].map((writes) => asksFirst({ ...call, approval, writes })),
  );
  expect(asks).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ]);
});

test('CALL-7: what was allowed before does not ask again', () => {
  for (const granted of ['here', 'always'] as const) {
    expect(asksFirst({ ...call, granted })).toBe(false);
    expect(asksFirst({ ...call, approval: 'always', writes: false, granted })).toBe(false);
  }
});

test('CALL-7: in a group a read with the credential of the asker asks too, unless it was allowed in that group', () => {
  const read = { ...call, writes: false, isGroup: true } as const;
  const asks = ([null, 'always', 'here'] as const).map((granted: Granted) => asksFirst({ ...read, granted }));
  expect(asks).toEqual([true, true, false]);
  expect(asksFirst({ ...read, approval: 'never' })).toBe(false);
  for (const identity of ['owner', 'none'] as const) expect(asksFirst({ ...read, identity })).toBe(false);
});

test('CALL-8: once a turn has read what strangers may have written, every call that may write asks', () => {
  for (const approval of ['never', 'writes', 'always'] as const)
    for (const granted of [null, 'here', 'always'] as const)
      expect(asksFirst({ ...call, approval, granted, isTainted: true })).toBe(true);
  expect(asksFirst({ ...call, approval: 'never', writes: false, isTainted: true })).toBe(false);
});

test('CALL-9: a grant holds for its conversation, or everywhere, as long as definition and credential are the same', () => {
  const here = { id: 1, terms: 'a', chatKey: 7 };
  const everywhere = { id: 2, terms: 'a', chatKey: 0 };
  expect(grantedBy([everywhere, here], 'a', 7)).toEqual({ granted: 'here', id: 1 });
  expect(grantedBy([here], 'a', 8)).toBeUndefined();
  expect(grantedBy([here, everywhere], 'a', 8)).toEqual({ granted: 'always', id: 2 });
  for (const one of [here, everywhere]) expect(grantedBy([one], 'b', 7)).toBeUndefined();
});

test('CALL-9: only “in this chat” and “always” are remembered', () => {
  expect(callOptions.map(({ id }) => [id, grantsOf(id, 7)])).toEqual([
    ['decline', []],
    ['once', []],
    ['chat', [7]],
    ['always', [0, 7]],
  ]);
});
