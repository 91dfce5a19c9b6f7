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

export const tokensOf = ({ input_tokens, output_tokens }: UsageItem): number => input_tokens + output_tokens;
