import type { Actor } from '@parley/protocol';
import type { OpenStream } from '../commits/effects.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { chatScope, timelineOf } from '../core/event-kinds.ts';
import { idText } from '../core/ids.ts';
import { insertMessage } from '../messages/insert-message.ts';
import { callerActor } from '../rendering/accounts.ts';
import type { Caller } from '../access/call.ts';
import { channelByKey, chatByKey } from '../store/chats.ts';
import { mark, messageByKey, type MessageRow, recordOf } from '../store/messages.ts';
import { messageJson } from '../rendering/messages.ts';
import { checkpointStream, insertStream, storedParts, streamOf, type StreamRow, takeStream } from '../store/turns.ts';

/** An open reply as its rows describe it, with the fields that each caller determines itself (`known`). */
export function openStreamOf(
  stream: StreamRow,
  row: MessageRow,
  known: Pick<OpenStream, 'revision' | 'revisionReserved' | 'resumed'> & { agent: Actor },
): OpenStream {
  const { id, conversation_id, channel_id, thread_root_id } = recordOf(row);
  return {
    messageKey: row.key,
    messageId: id,
    chatKey: row.chat_key,
    chatId: conversation_id,
    channelId: channel_id,
    threadRootId: thread_root_id,
    agentKey: stream.agent_key,
    runner: stream.runner,
    turnKey: stream.turn_key,
    text: stream.text,
    parts: storedParts(stream),
    cancelRequested: stream.cancel_requested === 1,
    ...known,
  };
}

interface StreamStart {
  chatKey: number;
  channelKey: number;
  threadKey: number;
  replyToId: string | null;
  turnKey: number | null;
  runner: 'server' | 'daemon';
  clientMsgId: string | null;
  /** The reply is another version: called when it is stored, before it is published. */
  asVersion?: (row: MessageRow) => Promise<void>;
}

/** Stores the placeholder of a reply and opens its stream (STREAM-2). Returns the message's key. */
export async function startStream(call: UnitCall, author: Caller, start: StreamStart): Promise<number> {
  const { tx, now } = call;
  const id = call.newId();
  const chat = await tx.get(chatByKey, start.chatKey);
  const channel = start.channelKey === 0 ? undefined : await tx.get(channelByKey, start.channelKey);
  const root = start.threadKey === 0 ? undefined : await tx.get(messageByKey, start.threadKey);
  if (!chat) throw new Error('a stream needs its conversation');
  const row = await insertMessage(
    { tx, now, caller: author },
    {
      id: idText(id),
      conversation_id: idText(chat.id),
      channel_id: channel ? idText(channel.id) : null,
      thread_root_id: root ? idText(root.id) : null,
      content: '',
      attachments: [],
      reply_to_id: start.replyToId,
      client_msg_id: start.clientMsgId ?? undefined,
      mentions: [],
      dispatch: [],
      created_at: new Date(now).toISOString(),
      content_revision: 1,
      status: 'streaming',
    },
    {
      id,
      chat_key: start.chatKey,
      channel_key: start.channelKey,
      thread_key: start.threadKey,
      marks: start.asVersion ? mark.versions : 0,
      clientMsgId: start.clientMsgId,
      digest: null,
    },
  );
  await start.asVersion?.(row);
  const reserved = 1 + call.settings.revisionBlock;
  await tx.run(insertStream, row.key, author.key, start.chatKey, start.turnKey, start.runner, reserved, now, call.node);
  const message = await messageJson(call, row);
  const timeline = timelineOf({
    chatKey: start.chatKey,
    channelId: channel ? idText(channel.id) : null,
    threadRootId: root ? idText(root.id) : null,
  });
  call.emit({ scope: chatScope(start.chatKey), kind: 'streamStarted', params: message, ref: row.key, timeline });
  const stream = await tx.get(streamOf, row.key);
  if (stream) await openLive(call, stream, row, 1);
  return row.key;
}

/**
 * Hands an open stream to the main thread. After a restart, revisions continue above all that may have been published.
 */
export async function openLive(call: UnitCall, stream: StreamRow, row: MessageRow, revision?: number): Promise<void> {
  const isResumed = revision === undefined;
  const revisionReserved = stream.revision_reserved + (isResumed ? call.settings.revisionBlock : 0);
  if (isResumed) {
    await call.tx.run(checkpointStream, row.key, stream.text, revisionReserved, stream.parts);
    await call.tx.run(takeStream, row.key, call.node);
  }
  const agent = await callerActor(call.tx, { key: stream.agent_key });
  const known = { agent, revision: revision ?? stream.revision_reserved, revisionReserved, resumed: isResumed };
  call.intend({ type: 'openStream', stream: openStreamOf(stream, row, known) });
}
