// What sockets with the cap `ext` are told of a conversation beside its messages (EXT-1).
import type { UnitCall } from '../commits/unit-call.ts';
import { accountScope, chatScope } from '../core/event-kinds.ts';
import { idText } from '../core/ids.ts';
import { RawJson, renderJson } from '../core/json.ts';
import { chatByKey, type OwnChatRow, ownChatByKey } from '../store/chats.ts';
import {
  type Changes,
  channelChanges,
  memberChanges,
  muteChanges,
  readChanges,
} from '../store/conversation-changes.ts';
import { conversationView } from '../store/conversation-view.ts';
import type { Awaitable } from '../store/sql.ts';

/** So many newcomers at once are each given their own view; of more, all are given that of the first. */
const OWN_VIEWS = 16;

interface Chat {
  key: number;
  id: Uint8Array;
}

/** Tells all participants what has changed for all (EXT-2). */
export function announce(call: UnitCall, { key, id }: Chat, changes: Changes): void {
  const params = { conversation_id: idText(id), ...changes };
  call.emit({ scope: chatScope(key), kind: 'conversationUpdated', ref: key, params });
}

/** … who takes part now, and how. */
export async function announceMembers(call: UnitCall, chatKey: number): Promise<void> {
  const chat = await call.tx.get(chatByKey, chatKey);
  if (chat) announce(call, chat, await memberChanges(call.tx, chat));
}

/** … which channels there are now. */
export const announceChannels = async (call: UnitCall, chat: Chat): Promise<void> =>
  announce(call, chat, await channelChanges(call.tx, chat.key));

/** Tells the caller's own devices how far it has read, and how much is unread (EXT-3). */
export const announceRead = async (call: UnitCall, chatKey: number): Promise<void> =>
  announceOwn(call, chatKey, (chat) => readChanges(call.tx, chat, call.caller.key));

/** … whether it is muted. */
export const announceMute = async (call: UnitCall, chatKey: number): Promise<void> =>
  announceOwn(call, chatKey, (chat) => muteChanges(chat, call.now));

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

/** Tells newcomers of a conversation that they are in it now (EXT-4). */
export async function announceAdded(call: UnitCall, chatKey: number, accountKeys: readonly number[]): Promise<void> {
  let first: RawJson | undefined;
  for (const accountKey of accountKeys) {
    // A client loads a conversation that has messages in any case: what differs is no more than a count.
    const params: RawJson | undefined =
      first && accountKeys.length > OWN_VIEWS ? first : await newcomersView(call, chatKey, accountKey);
    first ??= params;
    if (params) call.emit({ scope: accountScope(accountKey), kind: 'conversationAdded', ref: chatKey, params });
  }
}

async function newcomersView({ tx, now }: UnitCall, chatKey: number, accountKey: number): Promise<RawJson | undefined> {
  const chat: OwnChatRow | undefined = await tx.get(ownChatByKey, chatKey, accountKey);
  return chat && new RawJson(renderJson(await conversationView(tx, chat, accountKey, now)));
}
