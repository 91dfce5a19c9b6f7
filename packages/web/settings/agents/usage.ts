import type { Client } from '@parley/client';
import type { Result } from '@parley/protocol';

export type UsageItem = Result<'getUsage'>['items'][number];

export interface AgentUsage {
  readonly input: number;
  readonly output: number;
  readonly replies: number;
  readonly items: readonly UsageItem[];
}

/** What all of one's agents have used in this UTC month. */
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

/** What one agent has used, all in all; the largest parts first. */
export function usageOf(agent: string, all: readonly UsageItem[]): AgentUsage {
  const items = all.filter((item) => item.agent === agent).toSorted((one, other) => tokensOf(other) - tokensOf(one));
  const sum = (of: (item: UsageItem) => number): number => items.reduce((total, item) => total + of(item), 0);
  return {
    input: sum(({ input_tokens }) => input_tokens),
    output: sum(({ output_tokens }) => output_tokens),
    replies: sum(({ replies }) => replies),
    items,
  };
}

/** Tokens on the owner's key are estimated for replies that were stopped early: they may be more than the two together. */
export const tokensOf = ({ input_tokens, output_tokens, owner_key_tokens }: UsageItem): number =>
  Math.max(input_tokens + output_tokens, owner_key_tokens);

/** What others than the owner have used on the owner's key. */
export const guestTokens = ({ items }: AgentUsage, owner: string): number =>
  items.reduce((sum, item) => sum + (item.username === owner ? 0 : item.owner_key_tokens), 0);
