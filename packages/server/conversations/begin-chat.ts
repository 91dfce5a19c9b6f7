import type { UnitCall } from '../commits/unit-call.ts';
import { accountScope } from '../core/event-kinds.ts';
import { ownChatByKey } from '../store/chats.ts';
import { conversationView } from '../rendering/conversation-view.ts';
import { announceAdded } from './announce.ts';
import { makeChat, type NewChat, type NewMember } from './make-chat.ts';

export const asMember = (one: { key: number; kind: 'human' | 'agent' }, role: 'owner' | 'member'): NewMember => ({
  accountKey: one.key,
  kind: one.kind,
  role,
  alwaysOn: null,
});

/**
 * Creates the conversation and notifies the caller's other sockets; others learn of it by its first message (CONV-5).
 */
export async function beginChat(call: UnitCall, chat: NewChat): Promise<number> {
  const { tx, caller, now } = call;
  const { key, isNew } = await makeChat(call, chat);
  const row = isNew ? await tx.get(ownChatByKey, key, caller.key) : undefined;
  if (row) {
    const params = await conversationView(call, row, caller.key, now);
    call.emit({ scope: accountScope(caller.key), kind: 'conversationNew', ref: key, params });
    const others = chat.members.filter(({ accountKey }) => accountKey !== caller.key);
    await announceAdded(
      call,
      key,
      others.map(({ accountKey }) => accountKey),
    );
  }
  return key;
}
