// The events about a conversation, apart from its messages, that sockets with the cap `ext` receive (EXT-1).
import type { UnitCall } from '../commits/unit-call.ts';
import { accountScope, chatScope } from '../core/event-kinds.ts';
import { idText } from '../core/ids.ts';
import { RawJson, renderJson } from '../core/json.ts';
import { chatByKey, type OwnChatRow, ownChatByKey } from '../store/chats.ts';
import { openForAdmins } from '../store/decisions.ts';
import {
  type Changes,
  channelChanges,
  memberChanges,
  muteChanges,
  readChanges,
  stateChanges,
} from '../rendering/conversation-changes.ts';
import { conversationView, needsOf } from '../rendering/conversation-view.ts';
import type { Awaitable } from '../store/sql.ts';

/**
 * Maximum number of newcomers that each get their own record of the conversation; if there are more, all get the first
 * one's.
 */
const OWN_RECORDS = 16;

interface Chat {
  key: number;
  id: Uint8Array;
}

/** Sends all participants changes that are the same for all of them (EXT-2). */
export function announce(call: UnitCall, { key, id }: Chat, changes: Changes): void {
  const params = { conversation_id: idText(id), ...changes };
  call.emit({ scope: chatScope(key), kind: 'conversationUpdated', ref: key, params });
}

/** Sends all participants the current members with their roles (EXT-2). */
export async function announceMembers(call: UnitCall, chatKey: number): Promise<void> {
  const chat = await call.tx.get(chatByKey, chatKey);
  if (chat) announce(call, chat, await memberChanges(call.tx, chat));
}

/** Sends all participants the current channels (EXT-2). */
export const announceChannels = async (call: UnitCall, chat: Chat): Promise<void> =>
  announce(call, chat, await channelChanges(call.tx, chat.key));

/** Sends the caller's own devices its read position and unread count (EXT-3). */
export const announceRead = async (call: UnitCall, chatKey: number): Promise<void> =>
  announceOwn(call, chatKey, (chat) => readChanges(call.tx, chat, call.caller.key, call.now));

/** Sends the caller's own devices whether the conversation is muted (EXT-3). */
export const announceMute = async (call: UnitCall, chatKey: number): Promise<void> =>
  announceOwn(call, chatKey, (chat) => muteChanges(chat, call.now));

/** Sends the caller's own devices what it keeps about the conversation (CHATSTATE-1). */
export const announceState = async (call: UnitCall, chatKey: number): Promise<void> =>
  announceOwn(call, chatKey, stateChanges);

/** Sends the caller's own devices that it has cleared the conversation, with its new counts (CHATSTATE-9). */
export const announceCleared = async (call: UnitCall, chatKey: number): Promise<void> =>
  announceOwn(call, chatKey, async (chat) => ({
    ...stateChanges(chat),
    ...(await shownChanges(call, chat)),
  }));

/** Sends the caller's own devices the counts of a conversation of which it has hidden messages (EXT-3). */
export const announceHidden = async (call: UnitCall, chatKey: number): Promise<void> =>
  announceOwn(call, chatKey, (chat) => shownChanges(call, chat));

/** What changes for an account that no longer sees some messages. */
const shownChanges = async ({ tx, caller, now }: UnitCall, chat: OwnChatRow): Promise<Changes> => ({
  ...(await readChanges(tx, chat, caller.key, now)),
  ...(await needsOf(tx, chat, caller.key)),
});

/** Sends an account which open decisions it may decide, now that its role has changed, if any depends on that (DECIDE-10). */
export async function announceNeeds(call: UnitCall, chatKey: number, accountKey: number): Promise<void> {
  if (!(await call.tx.get(openForAdmins, chatKey))) return;
  const chat = await call.tx.get(ownChatByKey, chatKey, accountKey);
  if (!chat) return;
  const params = { conversation_id: idText(chat.id), ...(await needsOf(call.tx, chat, accountKey)) };
  call.emit({ scope: accountScope(accountKey), kind: 'conversationUpdated', ref: chatKey, params });
}

async function announceOwn(
  call: UnitCall,
  chatKey: number,
  changesOf: (chat: OwnChatRow) => Awaitable<Changes>,
): Promise<void> {
  const { tx, caller } = call;
  const chat = await tx.get(ownChatByKey, chatKey, caller.key);
  if (!chat) return;
  const params = { conversation_id: idText(chat.id), ...(await changesOf(chat)) };
  call.emit({ scope: accountScope(caller.key), kind: 'conversationUpdated', ref: chatKey, params });
}

/** Sends newcomers the conversation that they have joined (EXT-4). */
export async function announceAdded(call: UnitCall, chatKey: number, accountKeys: readonly number[]): Promise<void> {
  let first: RawJson | undefined;
  for (const accountKey of accountKeys) {
    // Newcomers' records differ only in a count, which a client loads with the conversation's messages anyway.
    const params: RawJson | undefined =
      first && accountKeys.length > OWN_RECORDS ? first : await newcomersRecord(call, chatKey, accountKey);
    first ??= params;
    if (params) call.emit({ scope: accountScope(accountKey), kind: 'conversationAdded', ref: chatKey, params });
  }
}

async function newcomersRecord(call: UnitCall, chatKey: number, accountKey: number): Promise<RawJson | undefined> {
  const chat: OwnChatRow | undefined = await call.tx.get(ownChatByKey, chatKey, accountKey);
  return chat && new RawJson(renderJson(await conversationView(call, chat, accountKey, call.now)));
}
