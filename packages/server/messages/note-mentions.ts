import type { UnitCall } from '../commits/unit-call.ts';
import { accountScope } from '../core/event-kinds.ts';
import { idText } from '../core/ids.ts';
import { accountsByNames } from '../store/accounts.ts';
import { chatByKey, type ChatRow, participant } from '../store/chats.ts';
import {
  countMentionsOf,
  deleteMentions,
  deleteMentionsIn,
  insertMentions,
  mentionedBy,
  mentionedUnread,
} from '../store/mentions.ts';
import type { MessageRow } from '../store/messages.ts';

/**
 * Maximum number of people that one message mentions: the service writes rows and sends events for each (READ-8, INBOX-2).
 * Owner and admins of a group may mention all of its people with `@all` (MENTION-15).
 */
const MAX_MENTIONED = 50;

type Chat = Pick<ChatRow, 'key' | 'kind'>;
type Call = Pick<UnitCall, 'tx' | 'emit' | 'inTurn'>;

/** The people for whom the mentions of a message count: the first in its text, in groups only. */
export async function peopleMentioned(
  { tx }: Pick<UnitCall, 'tx'>,
  chat: Chat,
  { mentions, senderKey }: { mentions: readonly string[]; senderKey: number },
): Promise<number[]> {
  if (chat.kind === 'direct' || mentions.length === 0) return [];
  const accounts = await tx.list(accountsByNames, mentions);
  const people = new Map(accounts.filter(({ kind }) => kind === 'human').map(({ username, key }) => [username, key]));
  const keys = mentions.flatMap((username) => people.get(username) ?? []);
  if (keys.length <= MAX_MENTIONED) return keys;
  const sender = await tx.get(participant, chat.key, senderKey);
  return sender && sender.role !== 'member' ? keys : keys.slice(0, MAX_MENTIONED);
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
  if (keys.size === 0) return;
  const noted = await call.tx.list(insertMentions, [...keys], chat.key, row.key, row.sender_key);
  await announceMentions(call, chat.key, noted);
}

/** Notes the mentions of an edited message: those that were added, and those that were removed (READ-9). */
export async function changeMentions(
  call: Call,
  chat: Chat,
  row: Pick<MessageRow, 'key' | 'sender_key'>,
  { before, after, quoted }: { before: readonly string[]; after: readonly string[]; quoted: MessageRow | undefined },
): Promise<void> {
  const peopleIn = (mentions: readonly string[]) =>
    peopleMentioned(call, chat, { mentions, senderKey: row.sender_key });
  const [former, current] = [await peopleIn(before), await peopleIn(after)];
  const kept = new Set(current);
  if (quoted) kept.add(quoted.sender_key);
  // What was noted, not what the former text would be today: the sender's role may be another one now.
  const noted = chat.kind === 'direct' ? [] : await call.tx.all(mentionedBy, row.key);
  const dropped = noted.map(({ account_key }) => account_key).filter((key) => !kept.has(key));
  if (dropped.length > 0)
    await announceMentions(call, chat.key, await call.tx.list(deleteMentions, dropped, chat.key, row.key));
  const known = new Set(former);
  await noteMentions(call, chat, row, { mentioned: current.filter((key) => !known.has(key)) });
}

/** Forgets the mentions in messages that are deleted, and sends their people the new counts (READ-9). */
export async function dropMentions(
  call: Pick<UnitCall, 'tx' | 'emit'>,
  chatKey: number,
  messageKeys: readonly number[],
): Promise<void> {
  const people = new Map<number, { account_key: number }>();
  for (const key of messageKeys) {
    for (const row of await call.tx.all(mentionedUnread, key)) people.set(row.account_key, row);
    await call.tx.run(deleteMentionsIn, key);
  }
  await announceMentions(call, chatKey, [...people.values()]);
}

/** Sends accounts the numbers of their unread mentions in a group. */
async function announceMentions(
  { tx, emit }: Pick<UnitCall, 'tx' | 'emit'>,
  chatKey: number,
  people: readonly { account_key: number }[],
): Promise<void> {
  if (people.length === 0) return;
  const chat = await tx.get(chatByKey, chatKey);
  if (!chat) return;
  const keys = people.map(({ account_key }) => account_key);
  for (const { account_key, count } of await tx.list(countMentionsOf, keys, chatKey)) {
    const params = { conversation_id: idText(chat.id), unread_mentions: count };
    emit({ scope: accountScope(account_key), kind: 'conversationUpdated', ref: chatKey, params });
  }
}
