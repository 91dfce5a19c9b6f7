import type { Client } from '@parley/client';
import type { Chat } from '@parley/client/store';
import type { Agent, Price } from '@parley/protocol';
import { useCallback } from 'react';
import { useLoaded } from '../calls/use-loaded.ts';
import { useSession } from '../session/session.ts';
import type { UsageItem } from '../session/usage.ts';
import { meanOfPrices } from '../words/money.ts';

/** How much is read to find what the replies of somebody else's agent have cost the user. */
const MAX_CHATS = 3;
const MESSAGES = 50;

/**
 * What a reply of an agent costs on average the one who pays, if that is the user: only who pays learns prices (PRICE-4).
 * Of an own agent by the usage of this month, of others' agents by its newest replies to the user. Empty if not known.
 */
export function useReplyCost(
  { username, payer, parent_username: owner }: Agent,
  chats: readonly Chat[],
  usage: readonly UsageItem[],
): readonly Price[] {
  const { client, username: me, may } = useSession();
  const ids = chats
    .slice(0, MAX_CHATS)
    .map(({ id }) => id)
    .join(' ');
  const isForeign = owner !== me && payer === me && may('getReplyPrices');
  const load = useCallback(
    async () => (isForeign && ids !== '' ? paidReplies(client, username, ids.split(' ')) : []),
    [client, username, isForeign, ids],
  );
  const { value = [] } = useLoaded(load);
  if (isForeign) return meanOfPrices(value);
  const paid = usage.filter(({ prices }) => prices.length > 0);
  return meanOfPrices(
    paid.map(({ prices }) => prices),
    paid.reduce((sum, { replies }) => sum + replies, 0),
  );
}

/** What the user has paid for each of the newest replies of an agent. */
async function paidReplies(client: Client, agent: string, chatIds: readonly string[]) {
  const pages = await Promise.all(
    chatIds.map(async (chat_id) => client.call('getChatHistory', { chat_id, limit: MESSAGES })),
  );
  const replies = pages.flatMap(({ items }) => items.filter(({ sender }) => sender.username === agent));
  const message_ids = replies.map(({ id }) => id).slice(-2 * MESSAGES);
  if (message_ids.length === 0) return [];
  const { items } = await client.call('getReplyPrices', { message_ids });
  return items.map(({ prices }) => prices);
}
