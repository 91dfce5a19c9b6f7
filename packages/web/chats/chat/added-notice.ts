import type { Client } from '@parley/client';
import type { Chat } from '@parley/client/store';
import { firstOf } from '../../words/list-of.ts';
import { handleOf, type Named, shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import type { NameOf } from './known-names.ts';

/** Maximum names in one line. */
const MAX_NAMES = 3;

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

/** What a notice says about what its sender has added; null for any other notice. */
export function addedOf(service: unknown): { usernames: readonly string[] } | { channelId: string } | null {
  if (!isRecord(service)) return null;
  const { kind, targets, data } = service;
  if (kind === 'channel_created' && isRecord(data) && typeof data['channel_id'] === 'string')
    return { channelId: data['channel_id'] };
  if (kind !== 'members_added' || !Array.isArray(targets)) return null;
  const usernames = targets.filter((name) => typeof name === 'string');
  return usernames.length > 0 ? { usernames } : null;
}

interface Told {
  added: NonNullable<ReturnType<typeof addedOf>>;
  sender: Named;
  me: string;
  nameOf: NameOf;
  /** The title of a channel; undefined if it is deleted. */
  titleOf: (channelId: string) => string | undefined;
}

/** The line of such a notice. */
export function addedText({ added, sender, me, nameOf, titleOf }: Told): string {
  const isMine = sender.username === me;
  const name = shownName(sender);
  if ('channelId' in added) {
    const title = titleOf(added.channelId);
    if (title === undefined) return isMine ? t('You created a channel') : t('{name} created a channel', { name });
    return isMine
      ? t('You created the channel “{title}”', { title })
      : t('{name} created the channel “{title}”', { name, title });
  }
  const others = added.usernames.filter((username) => username !== me);
  const names = firstOf(
    others.slice(0, MAX_NAMES).map((username) => nameOf(username) ?? handleOf(username)),
    MAX_NAMES,
    others.length,
  );
  if (isMine) return t('You added {names}', { names });
  if (others.length === added.usernames.length) return t('{name} added {names}', { name, names });
  return others.length === 0 ? t('{name} added you', { name }) : t('{name} added you and {names}', { name, names });
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
