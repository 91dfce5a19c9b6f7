import { hash } from 'node:crypto';
import type { ComponentAction, Input } from '@parley/protocol';
import { account, chat } from '../../commits/lock-names.ts';
import { chatAndSenderOf } from '../../commits/unit-locks.ts';
import { type OpenCall, preparedUnit, type ReadCall } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import { invalid, notFound, unavailable } from '../../core/errors.ts';
import { accountScope, chatScope } from '../../core/event-kinds.ts';
import { idBytes, idText } from '../../core/ids.ts';
import { answerToAction, shownFields } from '../../rules/component-actions.ts';
import { accountByKey, type AccountRow, isGuide, isWebhook } from '../../store/accounts.ts';
import { callerActor } from '../../rendering/accounts.ts';
import { hasBlocked } from '../../store/blocks.ts';
import { handlesActions } from '../../store/bot-config.ts';
import { chatForAccount, isParticipant, type OwnChatRow } from '../../store/chats.ts';
import { requireChat } from '../../access/chats.ts';
import { forgetActions, isNotedAction, noteAction } from '../../store/component-actions.ts';
import { messageById, type MessageRow, recordOf } from '../../store/messages.ts';
import { messageJson } from '../../rendering/messages.ts';
import { queuePush } from '../../push/queue-push.ts';
import { assertRoomToSay } from '../../files/storage-quota.ts';
import { callerOf } from '../../agents/caller-of.ts';
import { assertMayReact } from '../../messages/may-write.ts';
import { requireMessageOf } from '../../messages/pinning.ts';
import { addToInboxes } from '../../messages/inbox-items.ts';
import { insertMessage } from '../../messages/insert-message.ts';

/** How long after a press the same press counts as a double click (ACTION-6). */
const REPEAT_MS = 10_000;

/** Whether the message offered the action when the call arrived; null if the caller could not see the message. */
interface Offer {
  revision: number;
  isOffered: boolean;
}

async function offerOf(
  { tx, caller }: OpenCall,
  input: Input<'sendComponentAction'>,
  { offeredActions }: Needs<'offeredActions'>,
): Promise<Offer | null> {
  if (!caller) return null;
  const chat = await tx.get(chatForAccount, idBytes(input.chat_id), caller.key);
  const message = await tx.get(messageById, idBytes(input.message_id), caller.key);
  if (!chat?.role || message?.chat_key !== chat.key || message.deleted_at !== null) return null;
  const { content_revision: revision } = recordOf(message);
  return { revision, isOffered: (await offeredActions.of(message, caller.ownerKey)).has(input.action) };
}

async function press(call: UnitCall, input: Input<'sendComponentAction'>, offer: Offer | null): Promise<void> {
  const { tx, caller, now } = call;
  const chat = await requireChat(call, input.chat_id);
  const message = await requireMessageOf(call, chat, input.message_id);
  const agent = await tx.get(accountByKey, message.sender_key);
  if (agent?.kind !== 'agent') throw invalid('message_id', 'is not a message of an agent');
  const { action, fields } = input;
  if (offer?.revision !== recordOf(message).content_revision)
    throw unavailable('the message has just changed; try again');
  if (!offer.isOffered) throw invalid('action', 'is not offered by this message');
  const answer = answerToAction({ action, by: caller });
  const takesPart =
    agent.deleted_at === null &&
    agent.disabled_at === null &&
    !isWebhook(agent) &&
    (await tx.get(isParticipant, chat.key, agent.key)) !== undefined;
  const isHandled = takesPart && (await tx.get(handlesActions, agent.key))?.handles_actions === 1;
  if (answer.kind === 'silent' && !isHandled) return;
  // An agent that was deleted or removed, or that rests, confirms nothing; nor does a webhook.
  if (!takesPart) throw notFound('agent');
  await assertMayReact(call, chat);
  // The confirmation is a message of the agent, and counts towards its owner's quota.
  if (!isHandled && !isGuide(agent)) await assertRoomToSay(call, agent.key, 0);
  await tx.run(forgetActions, caller.key, now - REPEAT_MS, now + REPEAT_MS);
  const isFirst = (await tx.run(noteAction, caller.key, message.key, pressOf(input), now)) > 0;
  if (!isFirst) return;
  if (isHandled || answer.kind === 'silent') return passOn(call, chat, agent, message, input);
  const values = shownFields(fields);
  const act = { username: caller.username, action, ...(Object.keys(values).length > 0 && { fields: values }) };
  await confirm(call, { chat, agent, component: message }, answer.text, act);
}

/** The same text for presses that are equal: same action and values, in any order of the fields (ACTION-6). */
function pressOf({ action, fields = {} }: Input<'sendComponentAction'>): string {
  if (Object.keys(fields).length === 0) return action;
  return `${action} ${hash('sha256', JSON.stringify(fields, withSortedKeys), 'base64url')}`;
}

const withSortedKeys = (_key: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Two simultaneous clicks both count as messages, because neither is stored yet. */
async function posts({ tx, caller, now }: ReadCall, input: Input<'sendComponentAction'>): Promise<boolean> {
  const { message_id, action } = input;
  if (answerToAction({ action, by: caller }).kind === 'silent') return false;
  return !(await tx.get(
    isNotedAction,
    caller.key,
    idBytes(message_id),
    pressOf(input),
    now - REPEAT_MS,
    now + REPEAT_MS,
  ));
}

// The message's text is read before: in the unit it would delay all writes.
export default preparedUnit('sendComponentAction', {
  // Locks the caller (recent presses), and the conversation and the component's sender (the confirmation is their
  // message).
  locks: ({ caller, input }) => [chat(input.chat_id), account(caller.key), chatAndSenderOf(input.message_id)],
  posts,
  prepare: offerOf,
  handle: press,
});

/** Sends the press to the bot, unless the bot's owner has blocked the person who pressed (ACTION-12, ACTION-14). */
async function passOn(
  call: UnitCall,
  chat: OwnChatRow,
  bot: AccountRow,
  component: MessageRow,
  { action, fields }: Input<'sendComponentAction'>,
): Promise<void> {
  const { tx, caller } = call;
  if (await hasBlocked(tx, bot.key, caller.key)) return;
  const { id, conversation_id, channel_id, thread_root_id } = recordOf(component);
  const params = {
    action_id: idText(call.newId()),
    conversation_id,
    channel_id,
    thread_root_id,
    message_id: id,
    action,
    ...(fields && { fields }),
    from: await callerActor(tx, caller),
  };
  call.emit({ scope: accountScope(bot.key), kind: 'componentAction', params, ref: chat.key });
}

/** Posts the agent's confirmation in the timeline of the component; it mentions and fires no account (ACTION-5). */
async function confirm(
  call: UnitCall,
  { chat, agent, component }: { chat: OwnChatRow; agent: AccountRow; component: MessageRow },
  text: string,
  act: ComponentAction,
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
    component_action: act,
  };
  const { chat_key, channel_key, thread_key } = component;
  const place = { id, chat_key, channel_key, thread_key, marks: 0, clientMsgId: null, digest: null };
  const row = await insertMessage({ tx, now, caller: callerOf(agent) }, record, place);
  call.emit({ scope: chatScope(chat_key), kind: 'messageNew', params: await messageJson(call, row), ref: row.key });
  await addToInboxes(call, chat, row, { mentioned: [] });
  await queuePush(call, chat, row);
}
