import { type EventParams, limits } from '@parley/protocol';
import { idText } from '../core/ids.ts';
import { actorOf } from './accounts.ts';
import { channelsOf, type OwnChatRow, participantsAfter } from '../store/chats.ts';
import { avatarUrl } from '../store/files.ts';
import {
  markerOf,
  muteOf,
  opennessOf,
  ownCounts,
  type OwnField,
  type StateField,
  withCounts,
} from './conversation-view.ts';
import { countUnreadMentions } from '../store/mentions.ts';
import { newestByChannel } from '../store/newest-message.ts';
import { countUnread } from '../store/unread-counts.ts';
import type { Sql } from '../store/sql.ts';

/** Fields of `events.conversationUpdated`. */
export type Changes = Omit<EventParams<'conversationUpdated'>, 'conversation_id'>;
/** All of these fields. */
type Whole<Field extends keyof Changes> = Required<Pick<Changes, Field>>;
/** The fields that are equal for all participants: those that no account has for itself. */
type SharedField = Exclude<keyof Changes, OwnField | StateField>;

export async function memberChanges(
  tx: Sql,
  chat: Pick<OwnChatRow, 'key' | 'participant_count' | 'agent_count'>,
): Promise<Whole<'participants' | 'participant_count' | 'people_count'>> {
  const rows = await tx.all(participantsAfter, chat.key, 0, limits.shownParticipants);
  return {
    participants: rows.map((row) => ({ ...actorOf(row), role: row.role })),
    participant_count: chat.participant_count,
    people_count: chat.participant_count - chat.agent_count,
  };
}

/** The channels, without unread counts, which differ per account. */
export async function channelChanges(tx: Sql, chatKey: number): Promise<Changes> {
  return { channels: (await tx.all(channelsOf, chatKey)).map(({ id, title }) => ({ id: idText(id), title })) };
}

/** The current values of all fields that are equal for all participants (EXT-2). */
export async function sharedChanges(
  tx: Sql,
  chat: OwnChatRow,
): Promise<EventParams<'conversationUpdated'> & Whole<SharedField>> {
  return {
    conversation_id: idText(chat.id),
    title: chat.title,
    description: chat.description,
    avatar_url: chat.avatar_name === null ? null : avatarUrl(chat.avatar_name),
    ...opennessOf(chat),
    ...(await memberChanges(tx, chat)),
    ...(chat.kind === 'group' && (await channelChanges(tx, chat.key))),
  };
}

/** Maximum messages that a unit reads to count unread ones, because all writers wait for it. */
const COUNTED_IN_UNIT = 1_000;

/** The read marker and the unread counts; without the counts if counting them takes too long (EXT-3). */
export async function readChanges(tx: Sql, chat: OwnChatRow, accountKey: number, now: number): Promise<Changes> {
  const newest = await tx.all(newestByChannel, chat.key, accountKey);
  const { unread, isWhole } = await countUnread(tx, chat, accountKey, newest, COUNTED_IN_UNIT);
  return {
    ...(await markerOf(tx, chat)),
    unread_mentions: await countUnreadMentions(tx, chat, accountKey),
    ...(isWhole && (await withCounts(tx, chat, unread, accountKey, now))),
  };
}

export function muteChanges(chat: OwnChatRow, now: number): Changes {
  const { is_muted, muted_until = null } = muteOf(chat, now);
  return { is_muted, muted_until };
}

/** What the account keeps about the conversation (CHATSTATE-1). */
export function stateChanges(chat: OwnChatRow): Whole<StateField> {
  return {
    pin_order: chat.pin_order,
    archived_position: chat.archived_key,
    is_marked_unread: chat.is_marked_unread === 1,
    folder_id: chat.folder_id && idText(chat.folder_id),
    cleared_position: chat.cleared_key === 0 ? null : chat.cleared_key,
  };
}

/** The current values of all fields that differ per account: mute, state, read marker, counts (EXT-3). */
export async function ownChanges(
  tx: Sql,
  chat: OwnChatRow,
  accountKey: number,
  now: number,
): Promise<EventParams<'conversationUpdated'>> {
  const { muted_until = null, ...own } = await ownCounts(tx, chat, accountKey, now);
  return { conversation_id: idText(chat.id), ...own, muted_until, ...stateChanges(chat) };
}
