import { forbidden, notFound } from '../core/errors.ts';
import { idBytes } from '../core/ids.ts';
import {
  channelById,
  type ChannelRow,
  chatForAccount,
  chatToSend,
  type ChatToSend,
  type OwnChatRow,
  type Role,
} from '../store/chats.ts';
import type { Call } from './call.ts';

/** The conversation; throws if it does not exist (404) or the caller does not take part in it (403). */
export async function requireChat({ tx, caller }: Pick<Call, 'tx' | 'caller'>, chatId: string): Promise<OwnChatRow> {
  return own(await tx.get(chatForAccount, idBytes(chatId), caller.key));
}

/** Like `requireChat`. */
export async function requireChatToSend(
  { tx, caller }: Pick<Call, 'tx' | 'caller'>,
  chatId: string,
  clientMsgId: string | undefined,
): Promise<ChatToSend> {
  return own(await tx.get(chatToSend, idBytes(chatId), caller.key, clientMsgId ?? null, caller.ownerKey));
}

function own<Row extends { role: Role | null }>(row: Row | undefined): Row & { role: Role } {
  if (!row) throw notFound('conversation');
  if (row.role === null) throw forbidden('you do not take part in this conversation');
  return row as Row & { role: Role }; // `role` is checked above; a copy would cost more than the look-up
}

/** The group; throws if the caller is neither its owner nor an admin (403). */
export async function requireManagedGroup(call: Pick<Call, 'tx' | 'caller'>, chatId: string): Promise<OwnChatRow> {
  const chat = await requireChat(call, chatId);
  if (chat.kind !== 'group') throw forbidden('this is not a group');
  if (chat.role === 'member') throw forbidden('only the owner and admins may do this');
  return chat;
}

/** The separate chat; throws if the conversation is not one (403). */
export async function requireSeparateChat(call: Pick<Call, 'tx' | 'caller'>, chatId: string): Promise<OwnChatRow> {
  const chat = await requireChat(call, chatId);
  if (chat.is_separate === 0) throw forbidden('this is not a separate chat with an agent');
  return chat;
}

/** The channel; throws if it is deleted or not in this conversation (404). */
export async function requireChannel(
  { tx }: Pick<Call, 'tx'>,
  chatKey: number,
  channelId: string,
): Promise<ChannelRow> {
  const row = await tx.get(channelById, idBytes(channelId));
  if (!row || row.chat_key !== chatKey || row.deleted_at !== null) throw notFound('channel');
  return row;
}
