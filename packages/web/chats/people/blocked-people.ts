import type { Client } from '@parley/client';
import type { Account } from '@parley/protocol';

/** The user's blocked accounts, newest first; at most 1,000. */
export async function allBlocked(client: Client): Promise<readonly Account[]> {
  const blocked: Account[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.call('getBlockedUsers', { limit: 200, cursor });
    blocked.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return blocked;
}
