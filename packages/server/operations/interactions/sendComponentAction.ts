import type { Input } from '@parley/protocol';
import { type ReadCall, type UnitCall, unit } from '../../call.ts';
import { invalid, notFound } from '../../errors.ts';
import { chatScope } from '../../events/kinds.ts';
import { idBytes, idText } from '../../ids.ts';
import { answerToAction } from '../../rules/component-actions.ts';
import { accountByKey, type AccountRow } from '../../store/accounts.ts';
import { isParticipant, type OwnChatRow, requireChat } from '../../store/chats.ts';
import { forgetActions, isNotedAction, noteAction } from '../../store/component-actions.ts';
import { messageJson, type MessageRow, recordOf } from '../../store/messages.ts';
import { queuePush } from '../../store/push-queue.ts';
import { assertRoomToSay } from '../../units/stored-bytes.ts';
import { callerOf } from '../../units/turns.ts';
import { assertMayWrite } from '../conversations/writing.ts';
import { requireMessageOf } from '../messages/pinning.ts';
import { insert } from '../messages/sendMessage.ts';

/** A second press of the same button within this time is a double click (ACTION-6). */
const REPEAT_MS = 10_000;

const press = unit('sendComponentAction', async (call, input) => {
  const { tx, caller, now } = call;
  const chat = await requireChat(call, input.chat_id);
  const message = await requireMessageOf(call, chat, input.message_id);
  const agent = await tx.get(accountByKey, message.sender_key);
  if (agent?.kind !== 'agent') throw invalid('message_id', 'is not a message of an agent');
  const answer = answerToAction({ action: input.action, fields: input.fields, by: caller.username });
  if (answer.kind === 'silent') return undefined;
  // Who is no longer there says nothing.
  const takesPart = agent.deleted_at === null && (await tx.get(isParticipant, chat.key, agent.key));
  if (!takesPart) throw notFound('agent');
  await assertMayWrite(call, chat);
  // The confirmation is the agent's message, and counts for its owner.
  if (agent.parent_key !== null) await assertRoomToSay(call, agent.key, 0);
  await tx.run(forgetActions, caller.key, now - REPEAT_MS);
  const isFirst = (await tx.run(noteAction, caller.key, message.key, input.action, now)) > 0;
  if (isFirst) await confirm(call, chat, agent, message, answer.text);
  return undefined;
});

/** Of two clicks at one moment both count as messages: neither is stored yet. */
async function posts({ tx, caller, now }: ReadCall, input: Input<'sendComponentAction'>): Promise<boolean> {
  const { message_id, action } = input;
  if (answerToAction({ action, by: caller }).kind === 'silent') return false;
  return !(await tx.get(isNotedAction, caller.key, idBytes(message_id), pressOf(input), now - REPEAT_MS));
}

export default { ...press, isCounted };

/** Posts the agent's confirmation beside the component; it mentions and fires nobody (ACTION-5). */
async function confirm(
  call: UnitCall,
  chat: OwnChatRow,
  agent: AccountRow,
  component: MessageRow,
  text: string,
): Promise<void> {
  const { tx, now } = call;
  const { id: componentId, conversation_id, channel_id, thread_root_id } = recordOf(component);
  const id = call.newId();
  const record = {
    id: idText(id),
    conversation_id,
    channel_id,
    thread_root_id,
    content: text,
    attachments: [],
    reply_to_id: componentId,
    mentions: [],
    dispatch: [],
    created_at: new Date(now).toISOString(),
    content_revision: 1,
    status: 'complete' as const,
  };
  const { chat_key, channel_key, thread_key } = component;
  const place = { id, chat_key, channel_key, thread_key, marks: 0, clientMsgId: null, digest: null };
  const row = await insert({ tx, now, caller: callerOf(agent) }, record, place);
  call.emit({ scope: chatScope(chat_key), kind: 'messageNew', params: await messageJson(tx, row), ref: row.key });
  await queuePush(call, chat, row);
}
