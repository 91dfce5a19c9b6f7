import { read } from '../handler.ts';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { isGone } from '../../messages/visibility.ts';
import { actorOf } from '../../rendering/accounts.ts';
import { isParticipant } from '../../store/chats.ts';
import { messageById } from '../../store/messages.ts';
import { privacyOf } from '../../store/privacy.ts';
import { countReaders, readersOf } from '../../store/receipts.ts';

export default read('getMessageReaders', async (call, { message_id, limit, cursor }) => {
  const { tx, caller } = call;
  const row = await tx.get(messageById, idBytes(message_id), caller.key);
  if (!row || (await isGone(call, row))) throw notFound('message');
  if (!(await tx.get(isParticipant, row.chat_key, caller.key)))
    throw forbidden('you do not take part in this conversation');
  if (row.sender_key !== caller.key) throw forbidden('only the sender can see who has read a message');
  if (caller.kind !== 'human') throw forbidden('an agent has no read receipts');
  if (!(await privacyOf(tx, caller.key)).read_receipts) throw forbidden('you do not share read receipts');
  const [after] = cursor === undefined ? [0] : decodeCursor('readers', cursor, ['number']);
  const rows = await tx.all(readersOf, row.chat_key, caller.key, row.key, after, limit + 1);
  const count = (await tx.get(countReaders, row.chat_key, caller.key, row.key))?.count ?? 0;
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    items: rows.slice(0, limit).map(actorOf),
    count,
    next_cursor: last && encodeCursor('readers', last.account_key),
  };
});
