import { dropReactions } from '../store/reactions.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { chatScope } from '../core/event-kinds.ts';
import { idText } from '../core/ids.ts';
import { emitAbout, isPrivate } from './message-scopes.ts';
import { dropMentions } from './note-mentions.ts';
import { announceVersions, leaveVersions } from './reply-versions.ts';
import { releaseFiles } from './attached-files.ts';
import { endToolTurn } from './end-tool-turn.ts';
import { nextState } from '../rules/turn-states.ts';
import { tombstoneOf } from '../store/message-record.ts';
import { buryMessage, mark, type MessageRow, recordOf, uncountReply } from '../store/messages.ts';
import { dropDraftsOfThread } from '../store/drafts.ts';
import { emptyDecision, valueOf } from '../store/decisions.ts';
import { dropItemsAbout } from '../store/inbox.ts';
import { unpin } from '../store/pins.ts';
import { removePoll } from '../store/polls.ts';
import { reindexMessage } from '../store/search.ts';
import { takeBackGone } from '../push/take-back.ts';
import { addStored } from '../store/stored-bytes.ts';
import { dropSummariesOf } from '../store/summaries.ts';
import { bytesOfMessage } from '../files/storage-quota.ts';
import { emptyCallsOfMessage } from '../store/tool-calls.ts';
import { deleteStream, openTurnsOfChat, setTurnState } from '../store/turns.ts';

/** Turns messages of one conversation into tombstones and notifies its participants (DEL-1 … DEL-4). */
export async function buryMessages(
  call: Pick<UnitCall, 'tx' | 'now' | 'accounts' | 'settings' | 'emit' | 'intend'>,
  chatKey: number,
  rows: readonly MessageRow[],
): Promise<void> {
  const { tx, now } = call;
  const [first] = rows;
  if (!first) return;
  const conversationId = recordOf(first).conversation_id;
  const streaming = rows.filter(({ status }) => status === 'streaming').map(({ key }) => key);
  const unpinned: string[] = [];
  const freed = new Map<number, number>();
  for (const row of rows) {
    const record = recordOf(row);
    const status = row.status === 'streaming' ? 'cancelled' : row.status;
    const deleted_at = new Date(now).toISOString();
    const tombstone = {
      ...tombstoneOf(record, { status, deleted_at }),
      ...(row.status === 'streaming' && { finalized_at: deleted_at }),
    };
    await tx.run(buryMessage, row.key, status, JSON.stringify(tombstone), now);
    const asked = row.marks & mark.decision ? await tx.get(valueOf, row.key) : undefined;
    const bytes = bytesOfMessage(row) + Buffer.byteLength(asked?.value ?? '');
    freed.set(row.sender_key, (freed.get(row.sender_key) ?? 0) + bytes);
    await reindexMessage(tx, row.key);
    if (row.thread_key === 0) await tx.run(dropDraftsOfThread, row.key);
    await tx.run(dropSummariesOf, chatKey, row.channel_key, row.thread_key, row.key);
    if (record.attachments.some(({ id }) => id !== undefined)) await releaseFiles(call, row);
    await tx.run(dropItemsAbout, row.key);
    if (row.marks & mark.reactions) await tx.run(dropReactions, row.key);
    if (row.marks & mark.poll) await removePoll(tx, row.key);
    // Calls for which the reply had no room are in none of its parts.
    await tx.run(emptyCallsOfMessage, row.key);
    if (row.marks & mark.decision) await tx.run(emptyDecision, row.key);
    if (row.thread_key !== 0) await tx.run(uncountReply, row.thread_key, isPrivate(row) ? 0 : 1);
    if ((await tx.run(unpin, chatKey, row.key)) > 0) unpinned.push(record.id);
  }
  for (const [senderKey, bytes] of freed) if (bytes > 0) await tx.run(addStored, senderKey, -bytes);
  const deleted = (gone: readonly MessageRow[]) => ({
    kind: 'messageDeleted' as const,
    params: { conversation_id: conversationId, ids: gone.map(({ id }) => idText(id)) },
  });
  const open = rows.filter((row) => !isPrivate(row));
  if (open.length > 0) call.emit({ scope: chatScope(chatKey), ...deleted(open) });
  for (const row of rows) if (isPrivate(row)) await emitAbout(call, row, deleted([row]));
  for (const change of await leaveVersions(call, rows)) announceVersions(call, change);
  const keys = rows.map(({ key }) => key);
  await dropMentions(call, chatKey, keys);
  await takeBackGone(call, chatKey, keys);
  for (const id of unpinned)
    call.emit({
      scope: chatScope(chatKey),
      kind: 'messagePinned',
      params: { conversation_id: conversationId, message_id: id, pinned: false },
    });
  const waiting = rows.filter((row) => recordOf(row).finish_reason === 'waiting').map(({ key }) => key);
  if (streaming.length + waiting.length === 0) return;
  const buried = new Set([...streaming, ...waiting]);
  for (const turn of await tx.all(openTurnsOfChat, chatKey)) {
    const next = turn.reply_key !== null && buried.has(turn.reply_key) ? nextState(turn.state, 'remove') : null;
    if (!next) continue;
    await tx.run(setTurnState, turn.key, next);
    await endToolTurn(call, turn);
  }
  if (streaming.length === 0) return;
  for (const messageKey of streaming) await tx.run(deleteStream, messageKey);
  call.intend({ type: 'dropStreams', messageKeys: streaming });
}
