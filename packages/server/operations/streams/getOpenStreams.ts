import { forbidden } from '../../core/errors.ts';
import { recordOf } from '../../store/messages.ts';
import { openRepliesOf } from '../../store/turns.ts';
import { read } from '../handler.ts';

/** The bound of STREAM-19 keeps this list short. */
export default read('getOpenStreams', async ({ tx, caller }) => {
  if (caller.kind !== 'agent') throw forbidden('only a bot has streams');
  const rows = await tx.all(openRepliesOf, caller.key);
  return {
    items: rows.map((row) => {
      const { id, conversation_id, channel_id, thread_root_id, reply_to_id, client_msg_id, created_at } = recordOf(row);
      return {
        message_id: id,
        conversation_id,
        channel_id,
        thread_root_id,
        reply_to_id,
        ...(client_msg_id !== undefined && { client_msg_id }),
        cancel_requested: row.cancel_requested === 1,
        created_at,
      };
    }),
  };
});
