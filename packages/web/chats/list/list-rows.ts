// Loaded with the first group that is unfolded.
import type { Chat } from '@parley/client/store';
import type { InboxItem } from '@parley/protocol';

/** A channel of a group, or a thread in it or in the group itself. */
export interface GroupPlace {
  readonly channelId: string | null;
  readonly threadRootId: string | null;
}

/** The id of the row of a place. The row of a conversation has the conversation's id. */
export const rowIdOf = (chatId: string, { channelId, threadRootId }: GroupPlace): string =>
  channelId === null && threadRootId === null ? chatId : `${chatId}|${channelId ?? ''}|${threadRootId ?? ''}`;

/** What the row with that id shows; without channel and thread it is the conversation's own row. */
export function placeOfRow(rowId: string): GroupPlace & { readonly chatId: string } {
  const [chatId = '', channelId = '', threadRootId = ''] = rowId.split('|');
  return { chatId, channelId: channelId || null, threadRootId: threadRootId || null };
}

const rowOfItem = ({ conversation_id, channel_id, thread_root_id }: InboxItem): string =>
  rowIdOf(conversation_id, { channelId: channel_id, threadRootId: thread_root_id });

/** The items of the inbox that are about what a row shows. */
export const newsOf = (items: readonly InboxItem[], row: string): readonly InboxItem[] =>
  items.filter((item) => rowOfItem(item) === row);

/** The rows below an unfolded group: the threads of the group itself, then each channel with its threads. */
function rowsBelow({ id, channels }: Pick<Chat, 'id' | 'channels'>, items: readonly InboxItem[]): readonly string[] {
  const news = items.filter((item) => item.conversation_id === id && item.thread_root_id !== null);
  const threadsIn = (channel: string | null) => news.filter((item) => item.channel_id === channel).map(rowOfItem);
  const rows = channels.flatMap((channel) => [
    rowIdOf(id, { channelId: channel.id, threadRootId: null }),
    ...threadsIn(channel.id),
  ]);
  return [...new Set([...threadsIn(null), ...rows])];
}

interface Unfolded {
  ids: readonly string[];
  /** A conversation, if it is unfolded. */
  unfoldedOf: (id: string) => Pick<Chat, 'id' | 'channels'> | undefined;
  items: readonly InboxItem[];
}

/** The rows of the list: each conversation, and below it what stands there if it is unfolded. */
export const rowsOf = ({ ids, unfoldedOf, items }: Unfolded): readonly string[] =>
  ids.flatMap((id) => {
    const chat = unfoldedOf(id);
    return chat ? [id, ...rowsBelow(chat, items)] : id;
  });

/** The row of what is open: its own if the list has that, otherwise its channel's or its group's. */
export const openRowOf = (rows: readonly string[], chatId: string, place: GroupPlace): string =>
  [rowIdOf(chatId, place), rowIdOf(chatId, { ...place, threadRootId: null })].find((row) => rows.includes(row)) ??
  chatId;
