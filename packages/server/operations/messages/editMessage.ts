import type { Input, Message } from '@parley/protocol';
import { chatOf, householdOf, type LockRule } from '../../commits/unit-locks.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import type { RawJson } from '../../core/json.ts';
import type { TextReading } from '../../rules/text-reading.ts';
import { preparedUnit } from '../handler.ts';
import { isReadyText, readText } from '../read-text.ts';
import { conflict, invalid } from '../../core/errors.ts';
import { chatScope } from '../../core/event-kinds.ts';
import { idBytes } from '../../core/ids.ts';
import { renewFirstTitle } from '../../conversations/first-titles.ts';
import {
  mark,
  messageById,
  type MessageRecord,
  type MessageRow,
  recordOf,
  updateMessage,
} from '../../store/messages.ts';
import { messageJson } from '../../rendering/messages.ts';
import { placedIn } from '../../rules/reply-parts.ts';
import { reindexMessage } from '../../store/search.ts';
import { addStored } from '../../store/stored-bytes.ts';
import { dropSummariesOf } from '../../store/summaries.ts';
import { assertRoomToSay } from '../../files/storage-quota.ts';
import { markContent } from '../../messages/content-marks.ts';
import { mentionsIn } from '../../messages/mentions-in.ts';
import { changeMentions } from '../../messages/note-mentions.ts';
import { linkToPreview, previewAfterEdit, requestPreview } from '../../messages/link-previews.ts';
import { requireOwnMessage } from '../../messages/own-message.ts';
import { assertLength } from '../../messages/insert-message.ts';

// Locks the message's conversation, because a deletion or the end of a stream would change the same row.
const locks: LockRule<Input<'editMessage'>, unknown> = ({ caller, input }) => [
  chatOf(input.message_id),
  householdOf(caller),
];

async function edit(
  call: UnitCall,
  { message_id, text }: Input<'editMessage'>,
  reading: TextReading | undefined,
): Promise<RawJson<Message>> {
  const { tx, caller, now } = call;
  const { row, chat } = await requireOwnMessage(call, message_id);
  const record = recordOf(row);
  assertEditable(row, record);
  assertLength(caller.kind, text);
  if (text === '' && record.attachments.length === 0)
    throw invalid('text', 'must not be empty: this message has no attachments');
  if (text === record.content) return messageJson(call, row);
  const edited: MessageRecord = {
    ...record,
    content: text,
    ...(record.parts && { parts: placedIn(text, record.parts) }),
    mentioned_groups: undefined,
    ...(chat && (await mentionsIn(tx, { chat, senderKey: caller.key, text }, reading))),
    // The stored revision of a finished reply is above all revisions that were sent while it was open (STREAM-8).
    content_revision: record.content_revision + 1,
    edited_at: new Date(now).toISOString(),
  };
  edited.link_preview = previewAfterEdit(edited, reading);
  const link = await linkToPreview(call, edited, reading);
  const stored = JSON.stringify(edited);
  const more = Buffer.byteLength(stored) - Buffer.byteLength(row.record);
  if (more > 0) await assertRoomToSay(call, caller.key, more);
  await tx.run(addStored, caller.key, more);
  await tx.run(updateMessage, row.key, row.status, stored);
  await markContent(tx, row, edited, reading);
  await reindexMessage(tx, row.key);
  await tx.run(dropSummariesOf, row.chat_key, row.channel_key, row.thread_key, row.key);
  if (chat) await renewFirstTitle(call, chat, { former: row, text });
  const message = await messageJson(call, { ...row, record: stored });
  call.emit({ scope: chatScope(row.chat_key), kind: 'messageUpdated', params: message, ref: row.key });
  if (chat)
    await changeMentions(call, chat, row, {
      before: record.mentions,
      after: edited.mentions,
      quoted:
        record.reply_to_id === null ? undefined : await tx.get(messageById, idBytes(record.reply_to_id), caller.key),
    });
  call.intend({ type: 'textChanged', messageKey: row.key });
  requestPreview(call, row, edited, link);
  return message;
}

export default preparedUnit('editMessage', {
  locks,
  isReady: ({ text }) => isReadyText(text),
  prepare: readText,
  handle: edit,
});

function assertEditable(row: MessageRow, record: MessageRecord): void {
  if (row.marks & mark.service) throw invalid('message_id', 'is a service notice');
  if (row.marks & mark.poll) throw invalid('message_id', 'is a poll');
  if (row.marks & mark.decision) throw invalid('message_id', 'is a decision');
  // The text is another author's.
  if (record.forwarded_from) throw invalid('message_id', 'is a forwarded message');
  if (row.status === 'streaming') throw conflict('this message is still being written');
}
