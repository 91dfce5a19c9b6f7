import type { Part } from '@parley/protocol';
import { chatAndSenderOf } from '../../commits/unit-locks.ts';
import { conflict, forbidden, invalid, notFound, ServiceError } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { sharedFields } from '../../agents/tool-turns/turn-calls.ts';
import type { CallContent } from '../../agents/tool-turns/call-contents.ts';
import { changeRecord } from '../../messages/change-record.ts';
import { isVisible } from '../../messages/visibility.ts';
import { messageJson } from '../../rendering/messages.ts';
import { fitsParts, jsonBytes } from '../../rules/reply-parts.ts';
import { showsView } from '../../rules/tool-names.ts';
import { ownChatByKey } from '../../store/chats.ts';
import { messageById, type MessageRow, recordOf } from '../../store/messages.ts';
import type { Sql } from '../../store/sql.ts';
import { callById, type CallRow, shareCall } from '../../store/tool-calls.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';

interface Found {
  message: MessageRow;
  row: CallRow;
  parts: readonly Part[];
  at: number;
}

/** The call that a part shows; only its asker may share it (CALL-15). */
async function find(
  { tx, caller }: { tx: Sql; caller: { key: number } },
  { message_id, part_id }: { message_id: string; part_id: string },
): Promise<Found> {
  const message = await tx.get(messageById, idBytes(message_id), caller.key);
  if (!message || message.deleted_at !== null) throw notFound('message');
  if (!(await tx.get(ownChatByKey, message.chat_key, caller.key)))
    throw forbidden('you do not take part in this conversation');
  if (!(await isVisible({ tx, caller: caller as never }, message))) throw notFound('message');
  if (message.status === 'streaming') throw conflict('this reply is still being written');
  const parts = recordOf(message).parts ?? [];
  const at = parts.findIndex(({ id }) => id === part_id);
  const part = parts[at];
  const id = part?.type === 'tool' ? part.call_id : undefined;
  const row = id === undefined ? undefined : await tx.get(callById, idBytes(id));
  if (!row || row.message_key !== message.key) throw invalid('part_id', 'is no call of a tool of this message');
  if (row.human_key !== caller.key) throw forbidden('only the person who asked for a call can share it');
  if (showsView(row)) throw forbidden('what an agent has read in the conversation is not kept, so it cannot be shared');
  return { message, row, parts, at };
}

/** What a call was asked and has answered becomes part of the reply, for everybody. */
export default preparedUnit('shareToolCall', {
  async prepare(call, input, { callContents }: Needs<'callContents'>): Promise<CallContent> {
    const { tx, caller } = call;
    if (!caller) throw forbidden('only people may do this');
    const { row } = await find({ tx, caller }, input);
    return callContents.of(row);
  },
  // Locks the conversation of the message, and the stored bytes of its sender.
  locks: ({ input }) => [chatAndSenderOf(input.message_id)],
  async handle(call, input, contents) {
    const { message, row, parts, at } = await find(call, input);
    const part = parts[at];
    if (row.shared === 1 || part?.type !== 'tool') return messageJson(call, message);
    const shared = parts.with(at, { ...part, ...sharedFields(contents.arguments, contents.result) });
    if (
      !fitsParts(
        shared.length,
        shared.reduce((sum, one) => sum + jsonBytes(one), 0),
      )
    )
      throw new ServiceError('too_large', 'the parts of this message would be too large together', {
        field: 'part_id',
      });
    await call.tx.run(shareCall, row.key);
    return changeRecord(call, message, { ...recordOf(message), parts: shared });
  },
});
