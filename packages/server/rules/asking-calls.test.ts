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
  expect(grantedBy([{ terms: 'a', chatKey: 7 }], 'a', 7)).toBe('here');
  expect(grantedBy([{ terms: 'a', chatKey: 7 }], 'a', 8)).toBeNull();
  expect(grantedBy([{ terms: 'a', chatKey: 0 }], 'a', 8)).toBe('always');
  for (const chatKey of [0, 7]) expect(grantedBy([{ terms: 'a', chatKey }], 'b', 7)).toBeNull();
});

test('CALL-9: only “in this chat” and “always” are remembered', () => {
  expect(callOptions.map(({ id }) => [id, grantsOf(id, 7)])).toEqual([
    ['decline', []],
    ['once', []],
    ['chat', [7]],
    ['always', [0, 7]],
  ]);
});
