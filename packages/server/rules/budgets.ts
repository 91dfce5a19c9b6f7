import { firstOfMonth } from './usage-days.ts';

/**
 * Whom a budget of an agent's tokens is for: the agent in a month, a group in a month, an asker in a day, all people
 * together in a day (BUDGET-1, HOUSE-4).
 */
export type BudgetOf = 'agent' | 'group' | 'asker' | 'everyone';

export interface Budget {
  of: BudgetOf;
  tokens: number;
}

/** What the owner has set; null means no limit. */
interface BudgetTerms {
  monthlyTokenCap: number | null;
  groupMonthlyTokens: number | null;
  askerDailyTokens: number;
  /** Only the house's agent has one. */
  everyonesDailyTokens?: number | null;
}

/** A reply, as far as budgets are concerned. */
export interface BudgetedReply {
  isInGroup: boolean;
  /** Whether its tokens are used on the owner's key; those of a daemon count as the owner's. */
  isOwnersKey: boolean;
  /** Whether it is for another human on the owner's key. */
  isGuest: boolean;
}

/**
 * The budgets that a reply uses, in the order in which a claim checks them. The same for its claim and for the booking
 * of its usage.
 */
export function budgetsOf(terms: BudgetTerms, { isInGroup, isOwnersKey, isGuest }: BudgetedReply): Budget[] {
  const { monthlyTokenCap, groupMonthlyTokens, askerDailyTokens, everyonesDailyTokens = null } = terms;
  const budgets: Budget[] = [];
  if (monthlyTokenCap !== null) budgets.push({ of: 'agent', tokens: monthlyTokenCap });
  if (groupMonthlyTokens !== null && isInGroup && isOwnersKey)
    budgets.push({ of: 'group', tokens: groupMonthlyTokens });
  if (isGuest) budgets.push({ of: 'asker', tokens: askerDailyTokens });
  if (everyonesDailyTokens !== null && isGuest) budgets.push({ of: 'everyone', tokens: everyonesDailyTokens });
  return budgets;
}

/** The first day of the period that a budget is for. */
export const periodOf = ({ of }: Pick<Budget, 'of'>, day: number): number =>
  of === 'asker' || of === 'everyone' ? day : firstOfMonth(day);

/** What a running reply, or a transcript that is being made, has reserved until its usage is booked (BUDGET-7). */
export interface Reservation {
  human_key: number;
  /** Null if it is not known: then it counts in each group. */
  chat_key: number | null;
  payer: 'owner' | 'asker' | null;
  tokens: number;
}

/** The tokens of a budget that others have reserved; `reply`: the one that asks. */
export function reservedOf(
  { of }: Pick<Budget, 'of'>,
  reply: { humanKey: number; chatKey: number },
  reservations: readonly Reservation[],
): number {
  const isCounted = ({ human_key, chat_key, payer }: Reservation): boolean =>
    of === 'agent' ||
    (payer === 'owner' &&
      (of === 'everyone' ||
        (of === 'asker' ? human_key === reply.humanKey : (chat_key ?? reply.chatKey) === reply.chatKey)));
  return reservations.filter(isCounted).reduce((sum, { tokens }) => sum + tokens, 0);
}

/**
 * What a budget has left for another reply: at its budget it is refused; while what others have reserved could use it up
 * it waits for one of these to end (BUDGET-7). Its own estimate does not count: a reply that begins below a budget may
 * end above it.
 */
export function roomIn(
  { tokens }: Budget,
  { used, reserved }: { used: number; reserved: number },
): 'free' | 'waits' | 'used_up' {
  if (used >= tokens) return 'used_up';
  return reserved > 0 && used + reserved >= tokens ? 'waits' : 'free';
}

/** At four fifths of a budget there is a warning; not of a budget of 0, of which nothing can be used (BUDGET-5). */
export const isNearlyUsedUp = ({ tokens }: Budget, used: number): boolean =>
  tokens > 0 && used >= tokens - Math.floor(tokens / 5);
