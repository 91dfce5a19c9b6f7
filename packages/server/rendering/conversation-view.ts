import { type Conversation, limits } from '@parley/protocol';
import { idText } from '../core/ids.ts';
import type { Renderable } from '../core/json.ts';
import type { RenderSource } from './account-texts.ts';
import { actorOf } from './accounts.ts';
import { channelsOf, type OwnChatRow, participantsAfter } from '../store/chats.ts';
import { type ChannelMute, channelMutes } from '../store/channel-mutes.ts';
import { openFor } from '../store/decisions.ts';
import { avatarUrl } from '../store/files.ts';
import { countUnreadMentions } from '../store/mentions.ts';
import { messageIdByKey } from '../store/messages.ts';
import { type LiveTexts, messageJson } from './messages.ts';
import { type ChannelNewest, newestByChannel, newestMessage } from '../store/newest-message.ts';
import { pinnedIds } from '../store/pins.ts';
import type { Sql } from '../store/sql.ts';
import { unreadByChannel } from '../store/unread-counts.ts';

interface OwnView {
  view: Renderable<Conversation>;
  /** The key of the conversation's last message. */
  lastKey: number | undefined;
}

/** The Conversation as the account sees it at `now` (CONV-1). */
export async function ownView(
  source: RenderSource,
  chat: OwnChatRow,
  accountKey: number,
  now: number,
  live?: LiveTexts,
): Promise<OwnView> {
  const { tx } = source;
  const participants = await tx.all(participantsAfter, chat.key, 0, limits.shownParticipants);
  const newest = await tx.all(newestByChannel, chat.key, accountKey);
  const last = await newestMessage(tx, chat.key, accountKey, newest);
  const view = {
    id: idText(chat.id),
    kind: chat.kind,
    ...(chat.is_separate === 1 && { is_separate: true as const }),
    title: chat.title,
    description: chat.description,
    avatar_url: chat.avatar_name === null ? null : avatarUrl(chat.avatar_name),
    ...opennessOf(chat),
    participants: participants.map((row) => ({ ...actorOf(row), role: row.role })),
    participant_count: chat.participant_count,
    people_count: chat.participant_count - chat.agent_count,
    pinned_message_ids: (await tx.all(pinnedIds, chat.key)).map(({ id }) => idText(id)),
    ...(await ownCounts(tx, chat, accountKey, now, newest)),
    ...stateOf(chat),
    last_message: last ? await messageJson(source, last, live) : null,
    created_at: new Date(chat.created_at).toISOString(),
    updated_at: new Date(chat.updated_at).toISOString(),
  };
  return { view, lastKey: last?.key };
}

export const conversationView = async (...given: Parameters<typeof ownView>): Promise<Renderable<Conversation>> =>
  (await ownView(...given)).view;

/** Who may join the conversation, and who may write there. */
export const opennessOf = ({ is_public, managers_post }: Pick<OwnChatRow, 'is_public' | 'managers_post'>) => ({
  visibility: is_public === 1 ? ('public' as const) : ('private' as const),
  posting: managers_post === 1 ? ('managers' as const) : ('everyone' as const),
});

/** What the account keeps about the conversation (CHATSTATE-1). */
function stateOf(chat: OwnChatRow) {
  const { pin_order, archived_key, is_marked_unread, folder_id, cleared_key } = chat;
  return {
    ...(pin_order !== null && { pin_order }),
    ...(archived_key !== null && { archived_position: archived_key }),
    ...(is_marked_unread === 1 && { is_marked_unread: true as const }),
    ...(folder_id !== null && { folder_id: idText(folder_id) }),
    ...(cleared_key > 0 && { cleared_position: cleared_key }),
  };
}

/** The fields that an account keeps about the conversation. */
export type StateField = keyof ReturnType<typeof stateOf>;

/** The fields of a Conversation that differ per account, and the channels with their unread counts. */
type OwnCounts = Pick<
  Conversation,
  | 'channels'
  | 'is_muted'
  | 'muted_until'
  | 'unread_count'
  | 'unread_mentions'
  | 'needs_you'
  | 'open_decisions'
  | 'last_read_message_id'
  | 'last_read_position'
>;
export type OwnField = keyof OwnCounts;

export async function ownCounts(
  tx: Sql,
  chat: OwnChatRow,
  accountKey: number,
  now: number,
  newest?: readonly ChannelNewest[],
): Promise<OwnCounts> {
  const among = newest ?? (await tx.all(newestByChannel, chat.key, accountKey));
  const unread = await unreadByChannel(tx, chat, accountKey, among);
  return {
    ...(await withCounts(tx, chat, unread, accountKey, now)),
    unread_mentions: await countUnreadMentions(tx, chat, accountKey),
    ...(await needsOf(tx, chat, accountKey)),
    ...muteOf(chat, now),
    ...(await markerOf(tx, chat)),
  };
}

/** The open decisions that the account may decide (DECIDE-10). */
export async function needsOf(
  tx: Sql,
  chat: Pick<OwnChatRow, 'key'>,
  accountKey: number,
): Promise<Pick<OwnCounts, 'needs_you' | 'open_decisions'>> {
  const open = await tx.all(openFor, accountKey, chat.key);
  return { needs_you: open.length, open_decisions: open.map(({ id }) => idText(id)) };
}

/** The unread counts of the channels, with which of them the account has muted, and of the whole conversation. */
export async function withCounts(
  tx: Sql,
  chat: Pick<OwnChatRow, 'key' | 'kind'>,
  unread: ReadonlyMap<number, number>,
  accountKey: number,
  now: number,
): Promise<Pick<OwnCounts, 'channels' | 'unread_count'>> {
  const channels = chat.kind === 'group' ? await tx.all(channelsOf, chat.key) : [];
  const mutes = channels.length > 0 ? await tx.all(channelMutes, accountKey, chat.key, now) : [];
  const muted = new Map(mutes.map((mute) => [mute.channel_key, mute]));
  return {
    channels: channels.map((row) => ({
      id: idText(row.id),
      title: row.title,
      unread_count: unread.get(row.key) ?? 0,
      ...channelMuteOf(muted.get(row.key)),
    })),
    unread_count: unread.values().reduce((sum, count) => sum + count, 0),
  };
}

const channelMuteOf = (mute: ChannelMute | undefined) =>
  mute && {
    is_muted: true as const,
    ...(mute.muted_until !== null && { muted_until: new Date(mute.muted_until).toISOString() }),
  };

export function muteOf(
  { is_muted, muted_until }: Pick<OwnChatRow, 'is_muted' | 'muted_until'>,
  now: number,
): Pick<OwnCounts, 'is_muted' | 'muted_until'> {
  const isMuted = is_muted === 1 && (muted_until === null || muted_until > now);
  const until = isMuted && muted_until !== null ? new Date(muted_until).toISOString() : undefined;
  return { is_muted: isMuted, muted_until: until };
}

/** The account's read marker. */
export async function markerOf(
  tx: Sql,
  { read_key }: Pick<OwnChatRow, 'read_key'>,
): Promise<Pick<OwnCounts, 'last_read_message_id' | 'last_read_position'>> {
  const marker = read_key === 0 ? undefined : await tx.get(messageIdByKey, read_key);
  return { last_read_message_id: marker ? idText(marker.id) : null, last_read_position: read_key };
}
