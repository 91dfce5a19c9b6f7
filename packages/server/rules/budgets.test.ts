import { expect, test } from 'vitest';
import {
  type BudgetedReply,
  budgetsOf,
  isNearlyUsedUp,
  periodOf,
  type Reservation,
  reservedOf,
  roomIn,
} from './budgets.ts';

const terms = { monthlyTokenCap: 1_000, groupMonthlyTokens: 100, askerDailyTokens: 10 };
const of = (reply: Partial<BudgetedReply>, given = terms) =>
  budgetsOf(given, { isInGroup: false, isOwnersKey: false, isGuest: false, ...reply }).map((budget) => budget.of);

test.each<[string, Partial<BudgetedReply>, string[]]>([
  ['the owner in a direct chat', { isOwnersKey: true }, ['agent']],
  ['the owner in a group', { isOwnersKey: true, isInGroup: true }, ['agent', 'group']],
  ['a guest in a direct chat', { isOwnersKey: true, isGuest: true }, ['agent', 'asker']],
  ['a guest in a group', { isOwnersKey: true, isGuest: true, isInGroup: true }, ['agent', 'group', 'asker']],
  ['an asker in a group with a key of their own', { isInGroup: true }, ['agent']],
])('BUDGET-1: the budgets of a reply for %s', (_, reply, expected) => {
  expect(of(reply)).toEqual(expected);
});

test('BUDGET-1: a limit that the owner has not set is no budget', () => {
  const none = { monthlyTokenCap: null, groupMonthlyTokens: null, askerDailyTokens: 10 };
  expect(budgetsOf(none, { isInGroup: true, isOwnersKey: true, isGuest: true })).toEqual([{ of: 'asker', tokens: 10 }]);
});

test('HOUSE-4: what all people together may use in a day limits other people than the owner, after their own budgets', () => {
  const house = { ...terms, everyonesDailyTokens: 50 };
  expect(of({ isOwnersKey: true, isGuest: true }, house)).toEqual(['agent', 'asker', 'everyone']);
  expect(of({ isInGroup: true }, house)).toEqual(['agent']);
  expect(periodOf({ of: 'everyone' }, 20_000)).toBe(20_000);
  const reservations: Reservation[] = [
    { human_key: 1, chat_key: 1, payer: 'owner', tokens: 7 },
    { human_key: 2, chat_key: 2, payer: 'owner', tokens: 8 },
    { human_key: 2, chat_key: 2, payer: 'asker', tokens: 100 },
  ];
  expect(reservedOf({ of: 'everyone' }, { humanKey: 1, chatKey: 1 }, reservations)).toBe(15);
});

test('BUDGET-1: an asker’s budget is for a day, the others are for a month', () => {
  const day = Date.UTC(2026, 10, 26) / 86_400_000;
  expect(periodOf({ of: 'asker' }, day)).toBe(day);
  for (const whose of ['agent', 'group'] as const) expect(periodOf({ of: whose }, day)).toBe(day - 25);
});

test.each([
  [100, 79, false, false],
  [100, 80, true, false],
  [100, 99, true, false],
  [100, 100, true, true],
  // Never below four fifths, also of budgets that five does not divide.
  [7, 5, false, false],
  [7, 6, true, false],
  [1, 0, false, false],
  [1, 1, true, true],
  [0, 0, false, true],
  [0, 5, false, true],
  [Number.MAX_SAFE_INTEGER, 7_205_759_403_792_792, false, false],
  [Number.MAX_SAFE_INTEGER, 7_205_759_403_792_793, true, false],
])('BUDGET-5: of a budget of %i tokens, %i used: warning %s, used up %s', (tokens, used, isNear, isUp) => {
  const budget = { of: 'agent', tokens } as const;
  const isRefused = roomIn(budget, { used, reserved: 0 }) === 'used_up';
  expect([isNearlyUsedUp(budget, used), isRefused]).toEqual([isNear, isUp]);
});

test.each([
  [100, 0, 0, 'free'],
  [100, 99, 0, 'free'],
  [100, 100, 0, 'used_up'],
  [100, 100, 50, 'used_up'],
  [100, 20, 79, 'free'],
  [100, 20, 80, 'waits'],
  [100, 0, 5_000, 'waits'],
  [0, 0, 0, 'used_up'],
] as const)('BUDGET-7: of a budget of %i tokens, %i used and %i reserved: %s', (tokens, used, reserved, room) => {
  expect(roomIn({ of: 'agent', tokens }, { used, reserved })).toBe(room);
});

test('BUDGET-7: a reservation counts in the budgets that its usage will count in', () => {
  const [human, chat] = [1, 2];
  const one = (change: Partial<Reservation>): Reservation => ({
    human_key: human,
    chat_key: chat,
    payer: 'owner',
    tokens: 10,
    ...change,
  });
  const reservations = [
    one({}),
    one({ human_key: 8, tokens: 100 }),
    one({ chat_key: 9, tokens: 1_000 }),
    one({ payer: 'asker', tokens: 10_000 }),
    one({ human_key: 8, chat_key: null, tokens: 100_000 }),
  ];
  const reserved = (of: 'agent' | 'group' | 'asker') =>
    reservedOf({ of }, { humanKey: human, chatKey: chat }, reservations);
  expect([reserved('agent'), reserved('group'), reserved('asker')]).toEqual([111_110, 100_110, 1_010]);
});
