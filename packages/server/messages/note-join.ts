import type { UnitCall } from '../commits/unit-call.ts';
import { chatScope } from '../core/event-kinds.ts';
import { idText } from '../core/ids.ts';
import { accountByKey } from '../store/accounts.ts';
import { mark, type MessageRecord } from '../store/messages.ts';
import { messageJson } from '../rendering/messages.ts';
import { insertMessage } from './insert-message.ts';

/** The kind of the notice that somebody has joined by an invite, which only the service writes. */
export const joinNotice = 'joined_by_invite';

/** Stores the service notice that the caller has joined a group by an invite of that account (INVITE-13). */
export async function noteJoin(
  call: UnitCall,
  chat: { key: number; id: Uint8Array },
  inviterKey: number,
): Promise<void> {
  const { tx, caller, now } = call;
  const inviter = await tx.get(accountByKey, inviterKey);
  const invitedBy = inviter?.deleted_at === null ? inviter.username : undefined;
  const id = call.newId();
  const record: MessageRecord = {
    id: idText(id),
    conversation_id: idText(chat.id),
    channel_id: null,
    thread_root_id: null,
    // Clients that do not know this kind of notice show its text.
    content: `${caller.username} joined with an invite${invitedBy === undefined ? '' : ` from ${invitedBy}`}`,
    attachments: [],
    reply_to_id: null,
    client_msg_id: undefined,
    service: {
      kind: joinNotice,
      actor: caller.username,
      ...(invitedBy !== undefined && { data: { invited_by: invitedBy } }),
    },
    mentions: [],
    dispatch: [],
    created_at: new Date(now).toISOString(),
    content_revision: 1,
    status: 'complete',
  };
  const row = await insertMessage(call, record, {
    id,
    chat_key: chat.key,
    channel_key: 0,
    thread_key: 0,
    marks: mark.service,
    clientMsgId: null,
    digest: null,
  });
  call.emit({ scope: chatScope(chat.key), kind: 'messageNew', params: await messageJson(call, row), ref: row.key });
}
