import type { Actor } from '@parley/protocol';
import type { OpenStream } from '../commits/effects.ts';
import { type MessageRow, recordOf } from '../store/messages.ts';
import { storedParts, type StreamRow } from '../store/turns.ts';

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
