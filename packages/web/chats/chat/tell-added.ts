import type { Client } from '@parley/client';
import type { Chat } from '@parley/client/store';

/** What a member added to a group: people or agents, by their usernames, or a channel. */
export type Added = { usernames: readonly string[] } | { channelId: string; title: string };

/**
 * Tells the group what the user has added, with a service notice. It fires no agent, is pushed to nobody and counts as
 * unread for nobody. A user who may not write there adds without one, and so does everyone in a group without messages, at
 * whose beginning stands who takes part (WEB-742).
 */
export async function tellAdded(
  client: Client,
  chat: Pick<Chat, 'id' | 'last_message_id'>,
  added: Added,
): Promise<void> {
  if (chat.last_message_id === null) return;
  const isChannel = 'channelId' in added;
  // Clients that do not know these kinds of notices show the text.
  const text = isChannel ? ['created', added.title].join(' #') : ['added', added.usernames.join(', ')].join(' ');
  const service = isChannel
    ? { kind: 'channel_created', data: { channel_id: added.channelId } }
    : { kind: 'members_added', targets: added.usernames };
  await client.call('sendMessage', { chat_id: chat.id, text, service }).catch(() => undefined);
}
