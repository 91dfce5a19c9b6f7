import type { UnitCall } from '../commits/unit-call.ts';
import { accountScope } from '../core/event-kinds.ts';
import { idText } from '../core/ids.ts';
import { accountsByNames } from '../store/accounts.ts';
import { hasBlocked } from '../store/blocks.ts';
import { type ChatRow, ownChatByKey, participant } from '../store/chats.ts';
import {
  deleteMention,
  deleteMentionsIn,
  insertMention,
  mentionedUnread,
  countUnreadMentions,
} from '../store/mentions.ts';
import type { MessageRow } from '../store/messages.ts';

/** Maximum number of people that one message mentions: the service writes rows and sends events for each (READ-8, INBOX-2). */
const MAX_MENTIONED = 50;

type Chat = Pick<ChatRow, 'key' | 'kind'>;
type Call = Pick<UnitCall, 'tx' | 'emit' | 'inTurn'>;

/** The people for whom the mentions of a message count: the first in its text, in groups only. */
export async function peopleMentioned(
  { tx }: Pick<UnitCall, 'tx'>,
  chat: Pick<Chat, 'kind'>,
  mentions: readonly string[],
): Promise<number[]> {
  if (chat.kind === 'direct' || mentions.length === 0) return [];
  const accounts = await tx.list(accountsByNames, mentions);
  const people = new Map(accounts.filter(({ kind }) => kind === 'human').map(({ username, key }) => [username, key]));
  return mentions.flatMap((username) => people.get(username) ?? []).slice(0, MAX_MENTIONED);
}

/**
 * Notes a stored message of a group for the people that it is for, those it mentions and the sender of `quoted`, and
 * sends them their new counts (READ-8). Idempotent.
 */
export async function noteMentions(
  call: Call,
  chat: Chat,
  row: Pick<MessageRow, 'key' | 'sender_key'>,
  { mentioned, quoted }: { mentioned: readonly number[]; quoted?: Pick<MessageRow, 'sender_key'> | undefined },
): Promise<void> {
  if (chat.kind === 'direct' || (mentioned.length === 0 && !quoted)) return;
  const keys = new Set(mentioned);
  const author = quoted && (await call.tx.get(participant, chat.key, quoted.sender_key));
  if (author?.kind === 'human') keys.add(author.account_key);
  keys.delete(row.sender_key);
  // The messages before this one may be mentions too.
  if (keys.size > 0) await call.inTurn();
  for (const key of keys) {
    if (await hasBlocked(call.tx, key, row.sender_key)) continue;
    if ((await call.tx.run(insertMention, key, chat.key, row.key)) > 0) await announceMentions(call, chat.key, key);
  }
}

/** Notes the mentions of an edited message: those that were added, and those that were removed (READ-9). */
export async function changeMentions(
  call: Call,
  chat: Chat,
  row: Pick<MessageRow, 'key' | 'sender_key'>,
  { before, after, quoted }: { before: readonly string[]; after: readonly string[]; quoted: MessageRow | undefined },
): Promise<void> {
  const [former, current] = [await peopleMentioned(call, chat, before), await peopleMentioned(call, chat, after)];
  for (const key of former)
    if (!current.includes(key) && key !== quoted?.sender_key)
      if ((await call.tx.run(deleteMention, key, chat.key, row.key)) > 0) await announceMentions(call, chat.key, key);
  await noteMentions(call, chat, row, { mentioned: current.filter((key) => !former.includes(key)) });
}

/** Forgets the mentions in messages that are deleted, and sends their people the new counts (READ-9). */
export async function dropMentions(
  call: Pick<UnitCall, 'tx' | 'emit'>,
  chatKey: number,
  messageKeys: readonly number[],
): Promise<void> {
  const people = new Set<number>();
  for (const key of messageKeys) {
    for (const { account_key } of await call.tx.all(mentionedUnread, key)) people.add(account_key);
    await call.tx.run(deleteMentionsIn, key);
  }
  for (const key of people) await announceMentions(call, chatKey, key);
}

/** Sends an account the number of its unread mentions in a group. */
async function announceMentions(
  call: Pick<UnitCall, 'tx' | 'emit'>,
  chatKey: number,
  accountKey: number,
): Promise<void> {
  const { tx } = call;
  const chat = await tx.get(ownChatByKey, chatKey, accountKey);
  if (!chat) return;
  const params = {
    conversation_id: idText(chat.id),
    unread_mentions: await countUnreadMentions(tx, chat, accountKey),
  };
  call.emit({ scope: accountScope(accountKey), kind: 'conversationUpdated', ref: chatKey, params });
}
