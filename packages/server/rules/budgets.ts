import { firstOfMonth } from './usage-days.ts';

/** Whom a budget of an agent's tokens is for: the agent in a month, a group in a month, an asker in a day (BUDGET-1). */
export type BudgetOf = 'agent' | 'group' | 'asker';

export interface Budget {
  of: BudgetOf;
  tokens: number;
}

/** What the owner has set; null means no limit. */
export interface BudgetTerms {
  monthlyTokenCap: number | null;
  groupMonthlyTokens: number | null;
  askerDailyTokens: number;
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
  const { monthlyTokenCap, groupMonthlyTokens, askerDailyTokens } = terms;
  const budgets: Budget[] = [];
  if (monthlyTokenCap !== null) budgets.push({ of: 'agent', tokens: monthlyTokenCap });
  if (groupMonthlyTokens !== null && isInGroup && isOwnersKey)
    budgets.push({ of: 'group', tokens: groupMonthlyTokens });
  if (isGuest) budgets.push({ of: 'asker', tokens: askerDailyTokens });
  return budgets;
}

/** The first day of the period that a budget is for. */
export const periodOf = ({ of }: Pick<Budget, 'of'>, day: number): number => (of === 'asker' ? day : firstOfMonth(day));

/** At its budget, a reply is refused. */
export const isUsedUp = ({ tokens }: Budget, used: number): boolean => used >= tokens;

/** At four fifths of a budget there is a warning; not of a budget of 0, of which nothing can be used (BUDGET-5). */
export const isNearlyUsedUp = ({ tokens }: Budget, used: number): boolean =>
  tokens > 0 && used >= tokens - Math.floor(tokens / 5);
