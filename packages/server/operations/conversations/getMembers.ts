import { read } from '../handler.ts';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { actorOf } from '../../rendering/accounts.ts';
import { participantsAfter } from '../../store/chats.ts';
import { requireChat } from '../../access/chats.ts';

export default read('getMembers', async (call, { chat_id, limit, cursor }) => {
  const chat = await requireChat(call, chat_id);
  const [after] = cursor === undefined ? [0] : decodeCursor('members', cursor, ['number']);
  const rows = await call.tx.all(participantsAfter, chat.key, after, limit + 1);
  const items = rows.slice(0, limit).map((row) => ({ ...actorOf(row), role: row.role }));
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { items, next_cursor: last && encodeCursor('members', last.account_key) };
});
