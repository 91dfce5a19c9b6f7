import type { UnitCall } from '../commits/unit-call.ts';
import { chatScope, timelineOf } from '../core/event-kinds.ts';
import { bytesOfMessage } from '../files/storage-quota.ts';
import { messageJson } from '../rendering/messages.ts';
import { type MessageRecord, type MessageRow, recordOf, updateMessage } from '../store/messages.ts';
import { reindexMessage } from '../store/search.ts';
import { addStored } from '../store/stored-bytes.ts';
import { dropSummariesOf } from '../store/summaries.ts';
import { checkpointStream, insertStream, streamOf } from '../store/turns.ts';
import { openLive } from './open-stream.ts';

/**
 * Opens the stream of a reply again: it goes on with the text and parts that it has, and its revisions continue. All
 * sockets that receive streaming replies get a snapshot of it. Returns the message's key.
 */
export async function reopenStream(call: UnitCall, reply: MessageRow, turnKey: number): Promise<number> {
  const { tx, now, settings, node } = call;
  const { finish_reason: _reason, finalized_at: _at, waiting_for: _for, ...kept } = recordOf(reply);
  const revision = kept.content_revision + 1;
  const record: MessageRecord = { ...kept, status: 'streaming', content_revision: revision };
  const row: MessageRow = { ...reply, status: 'streaming', record: JSON.stringify(record) };
  await tx.run(updateMessage, row.key, row.status, row.record);
  // A summary has only the beginning of the text (SUMMARY-8).
  await tx.run(dropSummariesOf, row.chat_key, row.channel_key, row.thread_key, row.key);
  // Streaming replies count neither among stored bytes nor in the search; the end adds the whole text again.
  await tx.run(addStored, row.sender_key, -bytesOfMessage(reply));
  await reindexMessage(tx, row.key);
  const reserved = revision + settings.revisionBlock;
  await tx.run(insertStream, row.key, row.sender_key, row.chat_key, turnKey, 'server', reserved, now, node);
  const { content, parts } = record;
  await tx.run(checkpointStream, row.key, content, reserved, parts ? JSON.stringify(parts) : null);
  const { channel_id: channelId, thread_root_id: threadRootId } = record;
  call.emit({
    scope: chatScope(row.chat_key),
    kind: 'streamContinued',
    params: await messageJson(call, row),
    ref: row.key,
    timeline: timelineOf({ chatKey: row.chat_key, channelId, threadRootId }),
  });
  const stream = await tx.get(streamOf, row.key);
  if (stream) await openLive(call, stream, row, revision);
  return row.key;
}
