import { expect, test } from 'vitest';
import { joinOf } from './join-notice.ts';
import { joinText } from './join-text.ts';

test.each([
  [{ kind: 'joined_by_invite', actor: 'ben', data: { invited_by: 'ann' } }, { inviter: 'ann' }],
  [{ kind: 'joined_by_invite', actor: 'ben' }, { inviter: null }],
  [{ kind: 'joined_by_invite', data: { invited_by: 7 } }, { inviter: null }],
  [{ kind: 'joined_by_invite', data: 'ann' }, { inviter: null }],
  [{ kind: 'call_started', data: { invited_by: 'ann' } }, null],
  [{}, null],
  [null, null],
])('of %j the app reads %j', (service, join) => {
  expect(joinOf(service)).toEqual(join);
});

test.each([
  [['Ben'], 'Ann', 'Ben joined with an invite from Ann'],
  [['Ben'], null, 'Ben joined with an invite'],
  [['Ben', 'Cleo'], 'Ann', 'Ben and Cleo joined with an invite'],
  [['Ben', 'Cleo', 'Dora'], null, 'Ben, Cleo and Dora joined with an invite'],
  [['Ben', 'Cleo', 'Dora', 'Emil', 'Fay'], null, 'Ben, Cleo and 3 others joined with an invite'],
])('%j, invited by %s, are one line', (names, inviter, text) => {
  expect(joinText({ names, inviter })).toBe(text);
});

test.each([
  [[], 'Ann', 'You joined with an invite from Ann'],
  [[], null, 'You joined with an invite'],
  [['Ben'], 'Ann', 'You and Ben joined with an invite'],
  [['Ben', 'Cleo'], null, 'You, Ben and Cleo joined with an invite'],
  [['Ben', 'Cleo', 'Dora'], null, 'You, Ben and 2 others joined with an invite'],
])('a reader who joined with %j, invited by %s, is addressed', (names, inviter, text) => {
  expect(joinText({ names, withReader: true, inviter })).toBe(text);
});

test('a reader who invited someone is addressed', () => {
  expect(joinText({ names: ['Ben'], inviter: 'Ann', isMine: true })).toBe('Ben joined with your invite');
});
