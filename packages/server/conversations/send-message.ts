import { hash } from 'node:crypto';
import { type Input, limits, type Message } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { account, appending, chat, sentOnce } from '../commits/lock-names.ts';
import { householdOf, type LockRule } from '../commits/unit-locks.ts';
import { conflict, forbidden, invalid } from '../core/errors.ts';
import { joinNotice } from '../messages/note-join.ts';
import { chatScope } from '../core/event-kinds.ts';
import { idText } from '../core/ids.ts';
import type { RawJson } from '../core/json.ts';
import { type ChatToSend, titleByQuestion } from '../store/chats.ts';
import { requireChatToSend } from '../access/chats.ts';
import { givenBy } from '../store/message-record.ts';
import { mark, messageByClientId, type MessageRecord } from '../store/messages.ts';
import { messageJson } from '../rendering/messages.ts';
import { announce } from './announce.ts';
import { titleOfQuestion } from '../rules/chat-titles.ts';
import { pollText } from '../rules/polls.ts';
import type { TextReading } from '../rules/text-reading.ts';
import { queuePush } from '../push/queue-push.ts';
import { storedBy } from '../store/stored-bytes.ts';
import { assertQuotaHolds } from '../files/storage-quota.ts';
import { addToInboxes } from '../messages/inbox-items.ts';
import { assertLength, insertMessage, sameBytes } from '../messages/insert-message.ts';
import { assertMayWrite } from '../messages/may-write.ts';
import { clearDraft } from '../messages/input-drafts.ts';
import { findFiles, holdFiles } from '../messages/attached-files.ts';
import { findFirings, storeFirings } from '../messages/firings.ts';
import { linkToPreview, requestPreview } from '../messages/link-previews.ts';
import { noteMentions, peopleMentioned } from '../messages/note-mentions.ts';
import { storePoll } from '../messages/polls.ts';
import { takesPart } from '../messages/takes-part.ts';
import { requireQuoted, requireTimeline, type Timeline } from '../messages/timeline.ts';

/** What sendMessage needs; the other fields of the operation are optional. */
type SendMessage = Pick<Input<'sendMessage'>, 'chat_id' | 'text'> & Partial<Input<'sendMessage'>>;

/** More than the messages of one batch add to what a person has stored. */
const NEAR_BYTES = 128 * limits.bodyBytes;

// Locks the conversation: its positions, threads, firings and client_msg_ids. Locks the household: its stored bytes,
// and its bots' unprompted firings (DISPATCH-16). Locks a human's account: its waiting firings are counted, its draft
// is cleared. The asker of an agent's message is known only after reading, so simultaneous firings from other
// conversations may exceed the maximum of TURN-16. Files need no lock: a file that was removed gives 404. What an
// agent's message fires depends on the messages and firings before it. A human's messages may be read for at the same
// time; the firings and the quota are exceptions, which wait for the messages before.
export const locksToSend: LockRule<Input<'sendMessage'>, unknown> = ({ caller, input }) =>
  caller.kind === 'human'
    ? [
        ...[chat(input.chat_id), householdOf(caller), account(caller.key)].map(appending),
        ...(input.client_msg_id === undefined ? [] : [sentOnce(caller.key, input.client_msg_id)]),
      ]
    : [chat(input.chat_id), householdOf(caller)];

/** For a unit in which nothing else of the conversation, the household or the account may change. */
export const locksToSendAlone: LockRule<{ chat_id: string }> = ({ caller, input }) => [
  chat(input.chat_id),
  householdOf(caller),
  account(caller.key),
];

/** What the service itself says of a message. */
interface About extends Pick<MessageRecord, 'reminder_of' | 'schedule_id' | 'via'> {
  /** The message's id, if the unit has to know it. */
  id?: Uint8Array;
  /** The only agent that the message fires (SCHED-8). */
  fires?: string | undefined;
  /** What was read of a long text. */
  reading?: TextReading | undefined;
}

/** Stores a message of the caller, and fires the agents that should reply. */
export async function sendMessage(
  call: UnitCall,
  input: SendMessage,
  { id = call.newId(), fires, reading: given, ...about }: About = {},
): Promise<RawJson<Message>> {
  const { caller, now } = call;
  const chat = await requireChatToSend(call, input.chat_id, input.client_msg_id);
  const digest = input.client_msg_id === undefined ? null : payloadDigest(input);
  const sent = await sentBefore(call, chat, input.client_msg_id, digest);
  if (sent) return sent;
  // Apps show such a notice in their own words, so a client could say who invited whom (INVITE-13).
  if (input.service?.kind === joinNotice) throw invalid('service.kind', 'only the service writes notices of this kind');
  const { timeline, quoted, files } = await checkMessage(call, chat, input);
  const stored = await storedNow(call, chat);
  const isService = input.service !== undefined;
  const text = input.poll ? pollText(input.poll) : input.text;
  const reading = input.poll ? undefined : given;
  const firings = await findFirings(call, { chat, timeline, sender: caller, text, reading, isService, quoted, fires });
  if (fires !== undefined && ![firings.agents, firings.refused, firings.leftOut].some(({ length }) => length > 0))
    throw forbidden('this agent does not answer you');
  const record: MessageRecord = {
    id: idText(id),
    conversation_id: input.chat_id,
    channel_id: input.channel_id ?? null,
    thread_root_id: input.thread_root_id ?? null,
    content: text,
    attachments: files.attachments,
    reply_to_id: input.reply_to_message_id ?? null,
    ...givenBy(input),
    ...about,
    service: input.service && { ...input.service, actor: caller.username },
    ...firings.mentioned,
    dispatch: firings.dispatch,
    left_out: firings.shownLeftOut,
    created_at: new Date(now).toISOString(),
    content_revision: 1,
    status: 'complete',
    ...(input.link_preview === false && { link_preview: null }),
  };
  const link = isService || input.poll ? undefined : await linkToPreview(call, record, reading);
  const row = await insertMessage(call, record, {
    id,
    chat_key: chat.key,
    channel_key: timeline.channelKey,
    thread_key: timeline.threadKey,
    marks: isService ? mark.service : input.poll ? mark.poll : 0,
    clientMsgId: input.client_msg_id ?? null,
    digest,
    reading,
    assertFits: (bytes) => assertQuotaHolds(stored, bytes, call.settings),
  });
  if (input.poll) await storePoll(call, row, input.poll);
  await holdFiles(call, row, files);
  await storeFirings(call, firings, chat.key, timeline, row.key);
  requestPreview(call, row, record, link);
  if (chat.was_added === 1) await takesPart(call, chat);
  if (chat.is_separate === 1 && chat.title === null && !isService) await nameByQuestion(call, chat, text);
  const message = await messageJson(call, row);
  call.emit({ scope: chatScope(chat.key), kind: 'messageNew', params: message, ref: row.key });
  if (!isService) {
    const mentioned = await peopleMentioned(call, chat, {
      mentions: firings.mentioned.mentions,
      senderKey: caller.key,
    });
    await addToInboxes(call, chat, row, { mentioned, quotedKey: quoted?.sender_key });
    await noteMentions(call, chat, row, { mentioned, quoted });
    await queuePush(call, chat, row);
  }
  await clearDraftOf(call, chat, timeline, input);
  if (caller.kind === 'human') call.intend({ type: 'clearTyping', chatKey: chat.key, accountKey: caller.key });
  return message;
}

/** The message that the caller has sent with this `client_msg_id`; throws if that had another payload (MSG-4). */
export async function sentBefore(
  call: UnitCall,
  chat: ChatToSend,
  clientMsgId: string | undefined,
  digest: Uint8Array | null,
): Promise<RawJson<Message> | undefined> {
  if (chat.sent_key === null || clientMsgId === undefined || !digest) return undefined;
  const stored = await call.tx.get(messageByClientId, clientMsgId, call.caller.key, chat.key);
  if (!stored) return undefined;
  if (!sameBytes(stored.payload_digest, digest)) throw conflict('this client_msg_id was sent with another payload');
  return messageJson(call, stored);
}

/** What a message refers to; throws if the caller may not send it to this conversation now. */
export async function checkMessage(
  call: UnitCall,
  chat: Pick<ChatToSend, 'key' | 'kind' | 'managers_post'>,
  input: Omit<SendMessage, 'chat_id'>,
) {
  assertLength(call.caller.kind, input.text);
  const timeline = await requireTimeline(call, chat, input);
  const quoted = await requireQuoted(call, chat, input.reply_to_message_id);
  const files = await findFiles(call, input.attachments);
  await assertMayWrite(call, chat);
  return { timeline, quoted, files };
}

/** Clears the draft of the conversation, or that of the timeline that the message was sent to (MSG-12). */
export async function clearDraftOf(
  call: UnitCall,
  chat: { key: number },
  timeline: Timeline,
  input: Pick<SendMessage, 'chat_id' | 'channel_id' | 'thread_root_id' | 'clear_draft'>,
): Promise<void> {
  if (!input.clear_draft) return;
  const ofChat = { accountKey: call.caller.key, chatKey: chat.key, chatId: input.chat_id };
  const { channel_id: channelId, thread_root_id: threadRootId } = input;
  await clearDraft(call, input.clear_draft === 'timeline' ? { ...ofChat, timeline, channelId, threadRootId } : ofChat);
}

/** The first question names a separate chat (TITLE-1). */
async function nameByQuestion(call: UnitCall, chat: ChatToSend, text: string): Promise<void> {
  const title = call.caller.kind === 'human' ? titleOfQuestion(text) : null;
  if (title !== null && (await call.tx.run(titleByQuestion, chat.key, title)) > 0) announce(call, chat, { title });
}

/** The bytes stored so far; close to the quota exactly, including those of messages that are stored in this moment. */
export async function storedNow(call: UnitCall, chat: ChatToSend): Promise<{ bytes: number } | undefined> {
  if (chat.stored + NEAR_BYTES <= call.settings.storedBytes) return { bytes: chat.stored };
  await call.inTurn();
  return call.tx.get(storedBy, call.caller.key);
}

/** Digest of the payload: a retry must have the same. It is kept even if the message's text is deleted (MSG-4). */
function payloadDigest(input: SendMessage): Uint8Array {
  const { text, channel_id, thread_root_id, reply_to_message_id, attachments, service, poll } = input;
  const { client_msg_id: _id, ...given } = givenBy(input);
  const payload: unknown[] = [text, channel_id, thread_root_id, reply_to_message_id, attachments ?? [], service];
  // Only what there is: a message that an earlier version stored keeps its digest.
  if (poll) payload.push(poll);
  if (Object.values(given).some((value) => value !== undefined)) payload.push({ given });
  return hash('sha256', JSON.stringify(payload), 'buffer');
}
