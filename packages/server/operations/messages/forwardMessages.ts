import { hash } from 'node:crypto';
import { type Input, limits, type Message } from '@parley/protocol';
import type { UnitCall } from '../../commits/unit-call.ts';
import { account, chat } from '../../commits/lock-names.ts';
import { chatAsItIsOf, householdOf, type LockRule } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { conflict, ServiceError } from '../../core/errors.ts';
import { chatScope } from '../../core/event-kinds.ts';
import { idBytes, idText } from '../../core/ids.ts';
import type { RawJson } from '../../core/json.ts';
import { requireChat } from '../../access/chats.ts';
import {
  mark,
  messageByClientId,
  messageById,
  type MessageRecord,
  type MessageRow,
  recordOf,
} from '../../store/messages.ts';
import { copiedFields } from '../../store/message-record.ts';
import { messageJson } from '../../rendering/messages.ts';
import { forwardedParts } from '../../rules/reply-parts.ts';
import { isObject } from '../../rules/json-values.ts';
import { unread } from '../../rules/text-reading.ts';
import { queuePush } from '../../push/queue-push.ts';
import { assertRoomToSay, bytesOfMessage } from '../../files/storage-quota.ts';
import { assertMayWrite } from '../../messages/may-write.ts';
import { findFiles, holdFiles } from '../../messages/attached-files.ts';
import { findFirings, storeFirings } from '../../messages/firings.ts';
import { addToInboxes } from '../../messages/inbox-items.ts';
import { takesPart } from '../../messages/takes-part.ts';
import { insertMessage, sameBytes } from '../../messages/insert-message.ts';
import { requireTimeline } from '../../messages/timeline.ts';
import { isVisible } from '../../messages/visibility.ts';

type ForwardMessages = Input<'forwardMessages'>;

// Takes the locks of sendMessage, and locks the originals' conversations: no original may change while it is copied.
const locks: LockRule<Input<'forwardMessages'>> = ({ caller, input }) => [
  chat(input.to_chat_id),
  account(caller.key),
  householdOf(caller),
  ...input.message_ids.map(chatAsItIsOf),
];

/** A call counts as one posted message for each id in it (LIMIT-1). Nothing has checked the params yet. */
const messageCount = (params: unknown): number => {
  const ids = isObject(params) ? params['message_ids'] : undefined;
  return Array.isArray(ids) ? new Set(ids).size : 1;
};

export default unit('forwardMessages', { locks, messageCount }, async (call, input) => {
  const { caller } = call;
  const chat = await requireChat(call, input.to_chat_id);
  const digest = input.client_msg_id === undefined ? null : payloadDigest(input);
  const stored = digest && (await storedCopies(call, chat.key, input, digest));
  if (stored && stored.length > 0) return { items: stored };
  const timeline = await requireTimeline(call, chat, input);
  await assertMayWrite(call, chat);
  const originals = await originalsOf(call, input.message_ids);
  // Checked before anything is written. Copies differ from their originals by a few bytes, which may exceed the quota.
  await assertRoomToSay(
    call,
    caller.key,
    originals.reduce((sum, { row }) => sum + bytesOfMessage(row), 0),
  );
  // Mentions in forwarded text do not count here.
  const firings = await findFirings(call, {
    chat,
    timeline,
    sender: caller,
    text: '',
    isService: false,
    quoted: undefined,
  });
  const items: RawJson<Message>[] = [];
  for (const [at, original] of originals.entries()) {
    // Only the last copy fires agents, so that they reply once and with all copies in their context.
    const isLast = at === originals.length - 1;
    const clientMsgId = input.client_msg_id === undefined ? null : `${input.client_msg_id}:${at}`;
    const id = call.newId();
    const files = await findFiles(call, original.record.attachments, { isCopy: true });
    const record: MessageRecord = {
      id: idText(id),
      conversation_id: input.to_chat_id,
      channel_id: input.channel_id ?? null,
      thread_root_id: input.thread_root_id ?? null,
      ...copiedFields(original.record),
      parts: forwardedParts(original.record.parts),
      attachments: files.attachments,
      reply_to_id: null,
      client_msg_id: clientMsgId ?? undefined,
      mentions: [],
      dispatch: isLast ? firings.dispatch : [],
      created_at: new Date(call.now).toISOString(),
      content_revision: 1,
      status: 'complete',
      forwarded_from: original.record.forwarded_from ?? {
        sender: original.row.sender_key,
        created_at: original.record.created_at,
      },
    };
    const row = await insertMessage(call, record, {
      id,
      chat_key: chat.key,
      channel_key: timeline.channelKey,
      thread_key: timeline.threadKey,
      marks: mark.forwarded,
      clientMsgId,
      digest,
      // The text is that of the original, which was read when it was stored.
      reading: { ...unread, hasLink: (original.row.marks & mark.links) !== 0 },
    });
    await holdFiles(call, row, files);
    if (isLast) await storeFirings(call, firings, chat.key, timeline, row.key);
    const message = await messageJson(call, row);
    call.emit({ scope: chatScope(chat.key), kind: 'messageNew', params: message, ref: row.key });
    await addToInboxes(call, chat, row, { mentioned: [] });
    await queuePush(call, chat, row);
    items.push(message);
  }
  if (chat.was_added === 1) await takesPart(call, chat);
  return { items };
});

/**
 * The copies that an earlier call with this `client_msg_id` has stored: a retry stores nothing twice (FORWARD-7).
 * Checks the ids of all copies (`client_msg_id:0`, `:1`, …): if another message has one of them, the call is a
 * conflict.
 */
async function storedCopies(
  call: UnitCall,
  chatKey: number,
  { client_msg_id, message_ids }: ForwardMessages,
  digest: Uint8Array,
): Promise<RawJson<Message>[]> {
  const { tx, caller } = call;
  const items: RawJson<Message>[] = [];
  let isTaken = false;
  for (let at = 0; at < message_ids.length; at += 1) {
    const found = await tx.get(messageByClientId, `${client_msg_id}:${at}`, caller.key, chatKey);
    if (!found) continue;
    if (sameBytes(found.payload_digest, digest)) items.push(await messageJson(call, found));
    else isTaken = true;
  }
  // An earlier call was stored completely, so if its copies are found, other messages with such ids do not matter.
  if (isTaken && items.length === 0) throw conflict('this client_msg_id was sent with another payload');
  return items;
}

interface Original {
  row: MessageRow;
  record: MessageRecord;
}

/** The messages that can be forwarded, in the order of their positions (FORWARD-2). */
async function originalsOf(call: UnitCall, messageIds: readonly string[]): Promise<Original[]> {
  const originals: Original[] = [];
  let bytes = 0;
  for (const id of new Set(messageIds)) {
    const row = await call.tx.get(messageById, idBytes(id), call.caller.key);
    if (
      !row ||
      row.status === 'streaming' ||
      row.marks & (mark.service | mark.private) ||
      !(await isVisible(call, row))
    )
      continue;
    const record = recordOf(row);
    if (record.content === '' && record.attachments.length === 0) continue;
    originals.push({ row, record });
    bytes += Buffer.byteLength(row.record);
    // All copies are in one answer and in one commit.
    if (bytes > limits.pageBytes && originals.length > 1)
      throw new ServiceError('too_large', 'these messages are too large together; forward fewer at once', {
        field: 'message_ids',
      });
  }
  return originals.toSorted((one, other) => one.row.key - other.row.key);
}

function payloadDigest({ message_ids, channel_id, thread_root_id }: ForwardMessages): Uint8Array {
  return hash('sha256', JSON.stringify(['forward', message_ids, channel_id, thread_root_id]), 'buffer');
}
