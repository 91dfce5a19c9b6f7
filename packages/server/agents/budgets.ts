// The budgets of an agent's tokens: what refuses a reply at its claim, and the warnings when usage is booked.
import type { Refused } from '../commits/effects.ts';
import { ownerInWords } from './refusals.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { accountScope } from '../core/event-kinds.ts';
import {
  type Budget,
  type BudgetOf,
  budgetsOf,
  isNearlyUsedUp,
  periodOf,
  reservedOf,
  roomIn,
} from '../rules/budgets.ts';
import { termsOf } from '../rules/owner-key-terms.ts';
import { mostTokensOfReply } from '../rules/reply-estimates.ts';
import { dayOf } from '../rules/usage-days.ts';
import { accountByKey, type AccountRow } from '../store/accounts.ts';
import { actorOf } from '../rendering/accounts.ts';
import { ownerConfig, type OwnerConfigRow } from '../store/bot-config.ts';
import { type ChatRow, isParticipant } from '../store/chats.ts';
import type { Sql } from '../store/sql.ts';
import { reservationsOf, unbookedOf } from '../store/turns.ts';
import { markWarned, usedInDay, usedInGroup, usedInMonth, usedOfOwnersKey } from '../store/usage.ts';

/** A reply whose tokens count. */
interface SpendingReply {
  agent: Pick<AccountRow, 'key' | 'parent_key'>;
  /** The human at its root. */
  humanKey: number;
  chat: Pick<ChatRow, 'key' | 'kind'>;
  isOwnersKey: boolean;
  /** A daemon's replies are limited by no asker's budget (KEY-14). */
  isDaemons: boolean;
}

const refusedAs = {
  agent: 'token_cap',
  group: 'group_token_cap',
  asker: 'asker_token_cap',
  everyone: 'house_token_cap',
} as const satisfies Record<BudgetOf, Refused>;

const isGuests = ({ agent, humanKey, isOwnersKey, isDaemons }: SpendingReply): boolean =>
  isOwnersKey && !isDaemons && humanKey !== agent.parent_key;

function budgetsFor(row: OwnerConfigRow | undefined, reply: SpendingReply): Budget[] {
  const { chat, isOwnersKey } = reply;
  const terms = {
    monthlyTokenCap: row?.monthly_token_cap ?? null,
    groupMonthlyTokens: row?.group_monthly_tokens ?? null,
    askerDailyTokens: termsOf(row).askerDailyTokens,
    everyonesDailyTokens: row?.daily_tokens ?? null,
  };
  return budgetsOf(terms, { isInGroup: chat.kind === 'group', isOwnersKey, isGuest: isGuests(reply) });
}

/** How much of a budget has been used in its present period. */
async function usedOf(tx: Sql, budget: Budget, { agent, humanKey, chat }: SpendingReply, day: number): Promise<number> {
  const period = periodOf(budget, day);
  if (budget.of === 'agent') return (await tx.get(usedInMonth, agent.key, period))?.tokens ?? 0;
  if (budget.of === 'group') return (await tx.get(usedInGroup, agent.key, chat.key, period))?.tokens ?? 0;
  if (budget.of === 'everyone') return (await tx.get(usedInDay, agent.key, period))?.tokens ?? 0;
  return (await tx.get(usedOfOwnersKey, agent.key, humanKey, period))?.tokens ?? 0;
}

/** What the budgets say to a reply that is about to begin. */
interface Verdict {
  /** The refusal by the first budget that is used up; null if there is none. */
  refused: Refused | null;
  /** Whether it must wait for others, because what these have reserved could use up a budget (BUDGET-7). */
  mustWait: boolean;
}

/** `beside`: tokens that a request beside the running replies may use, see `reservationsOf`. */
export async function askBudgets(
  { tx, now }: Pick<UnitCall, 'tx' | 'now'>,
  reply: SpendingReply,
  beside = 0,
): Promise<Verdict> {
  const row = await tx.get(ownerConfig, reply.agent.key);
  const budgets = budgetsFor(row, reply);
  // Read before the usage: a turn that ends in between is then in at least one of the two.
  const reservations =
    budgets.length === 0 ? [] : await tx.all(reservationsOf, reply.agent.key, now, mostTokensOfReply(undefined));
  let mustWait = false;
  for (const budget of budgets) {
    const used = await usedOf(tx, budget, reply, dayOf(now));
    const others = reservedOf(budget, { humanKey: reply.humanKey, chatKey: reply.chat.key }, reservations);
    const room = roomIn(budget, { used, reserved: others + beside });
    if (room === 'used_up') return { refused: refusedAs[budget.of], mustWait: false };
    mustWait ||= room === 'waits';
  }
  return { refused: null, mustWait };
}

/**
 * The refusal of a reply that is being written by the first budget that it has used up, together with the other replies
 * that are being written, with what is not booked yet (CALL-16).
 */
export async function usedUpBy(
  { tx, now }: Pick<UnitCall, 'tx' | 'now'>,
  reply: SpendingReply & { turnKey: number },
  { reported, estimated }: { reported: number; estimated: number },
): Promise<Refused | null> {
  const { agent, humanKey, chat, turnKey } = reply;
  const budgets = budgetsFor(await tx.get(ownerConfig, agent.key), reply);
  // Read before the usage, as in `askBudgets`.
  const others = budgets.length === 0 ? [] : await tx.all(unbookedOf, agent.key, turnKey);
  for (const budget of budgets) {
    // As it will be booked, see `book`.
    const own = budget.of === 'agent' || !isGuests(reply) ? reported : Math.max(reported, estimated);
    const unbooked = own + reservedOf(budget, { humanKey, chatKey: chat.key }, others);
    if ((await usedOf(tx, budget, reply, dayOf(now))) + unbooked >= budget.tokens) return refusedAs[budget.of];
  }
  return null;
}

type Booking = Pick<UnitCall, 'tx' | 'now' | 'emit'>;

/**
 * Warns of the budgets that a booking has nearly used up, each once per period: the mark is stored in the unit of the
 * booking, which also emits the alert (BUDGET-5, BUDGET-6).
 */
export async function warnOfBudgets(
  call: Booking,
  reply: SpendingReply & { agent: AccountRow; chat: ChatRow },
): Promise<void> {
  const { tx, now } = call;
  const { agent, humanKey, chat } = reply;
  const day = dayOf(now);
  for (const budget of budgetsFor(await tx.get(ownerConfig, agent.key), reply)) {
    // Nobody reads the alerts of the service's own account: the operator asks `house show`.
    if (budget.of === 'everyone') continue;
    const used = await usedOf(tx, budget, reply, day);
    if (!isNearlyUsedUp(budget, used)) continue;
    const whose = [budget.of === 'asker' ? humanKey : 0, budget.of === 'group' ? chat.key : 0] as const;
    if (!(await tx.get(markWarned, agent.key, ...whose, periodOf(budget, day)))) continue;
    const receiver = budget.of === 'asker' ? humanKey : agent.parent_key;
    if (receiver === null || (await tx.get(accountByKey, receiver))?.deleted_at !== null) continue;
    const group = budget.of === 'group' ? await groupTitle(tx, chat, receiver) : undefined;
    const isAskers = budget.of === 'asker';
    const text = isAskers ? warningOfAsker(agent) : warningOfOwner(agent, { ...budget, used, group });
    call.emit({
      scope: accountScope(receiver),
      kind: 'alert',
      params: {
        title: agent.display_name,
        text,
        level: 'info',
        from: actorOf(agent),
        cause: {
          kind: 'budget_nearly_used',
          budget: budget.of,
          // The number is the owner's to know (KEY-12).
          ...(!isAskers && { used, tokens: budget.tokens, group }),
        },
      },
    });
  }
}

const numbers = new Intl.NumberFormat('en-US');

/** Does not name the number, which only the owner may see (KEY-12). */
const warningOfAsker = (agent: AccountRow): string =>
  `You have used most of the tokens that ${ownerInWords(agent)} lets you use in a day. After that it answers you again tomorrow (UTC), or with an API key of your own, which you can add in its settings.`;

function warningOfOwner(
  { display_name }: AccountRow,
  { of, tokens, used, group }: Budget & { used: number; group: string | undefined },
): string {
  const [where, there] = of === 'group' ? [` in ${group ? `“${group}”` : 'one of its groups'}`, ' there'] : ['', ''];
  const then =
    used >= tokens
      ? `It answers${there} again when the next month begins (UTC), or when you raise the limit in its settings.`
      : `At the limit it stops answering${there} until the next month begins (UTC). You can raise the limit in its settings.`;
  const share = `${numbers.format(used)} of the ${numbers.format(tokens)} tokens`;
  return `${display_name} has used ${share} that you let it use${where} in a month. ${then}`;
}

/** An owner who does not take part learns nothing of the group. */
async function groupTitle(tx: Sql, chat: ChatRow, ownerKey: number): Promise<string | undefined> {
  return (await tx.get(isParticipant, chat.key, ownerKey)) ? (chat.title ?? undefined) : undefined;
}
