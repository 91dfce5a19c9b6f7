import type { Client } from '@parley/client';
import type { Price, Result } from '@parley/protocol';
import { sumOfPrices } from '../words/money.ts';

export type UsageItem = Result<'getUsage'>['items'][number];

export interface AgentUsage {
  readonly input: number;
  readonly output: number;
  readonly replies: number;
  /** What the replies on the owner's key have cost, by currency. */
  readonly prices: readonly Price[];
  readonly items: readonly UsageItem[];
}

/** The usage of all the user's agents in this UTC month. */
export async function usageOfMonth(client: Client): Promise<readonly UsageItem[]> {
  const items: UsageItem[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.call('getUsage', { limit: 200, cursor });
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return items;
}

/** The total usage of one agent, and its items sorted by size. */
export function usageOf(agent: string, all: readonly UsageItem[]): AgentUsage {
  const items = all.filter((item) => item.agent === agent).toSorted((one, other) => tokensOf(other) - tokensOf(one));
  const sum = (of: (item: UsageItem) => number): number => items.reduce((total, item) => total + of(item), 0);
  return {
    input: sum(({ input_tokens }) => input_tokens),
    output: sum(({ output_tokens }) => output_tokens),
    replies: sum(({ replies }) => replies),
    prices: sumOfPrices(items.map(({ prices }) => prices)),
    items,
  };
}

/** Tokens on the owner's key. Estimated for stopped replies, so they can exceed the sum of read and written. */
export const tokensOf = ({ input_tokens, output_tokens, owner_key_tokens }: UsageItem): number =>
  Math.max(input_tokens + output_tokens, owner_key_tokens);

/** Tokens that others used on the owner's key. */
export const guestTokens = ({ items }: AgentUsage, owner: string): number =>
  items.reduce((sum, item) => sum + (item.username === owner ? 0 : item.owner_key_tokens), 0);
