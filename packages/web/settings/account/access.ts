import { ApiError, type Client } from '@parley/client';

const CHATS_PER_PAGE = 200;

/** Usernames of the user's bots; each has a token. */
export async function botNames(client: Client): Promise<string[]> {
  const { items } = await client.call('getMyAgents');
  return items.flatMap(({ provider, username }) => (provider === 'bot' ? [username] : []));
}

/** IDs of the valid invites to groups that the user manages. */
export async function openInvites(client: Client): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.call('getChats', { limit: CHATS_PER_PAGE, cursor });
    for (const { id, kind } of page.items) if (kind === 'group') found.push(...(await invitesOf(client, id)));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return found;
}

/** None for groups where the user is not owner or admin. */
async function invitesOf(client: Client, chat_id: string): Promise<string[]> {
  try {
    return (await client.call('getInvites', { chat_id })).items.map(({ id }) => id);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'forbidden') return [];
    throw error;
  }
}
