import type { Client } from '@parley/client';
import type { Account } from '@parley/protocol';

/** All whom one has blocked, the newest first: a thousand at most. */
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
