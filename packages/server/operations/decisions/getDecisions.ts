import { requireChat } from '../../access/chats.ts';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { decisionsFor } from '../../store/decisions.ts';
import { renderPage } from '../messages/history-page.ts';
import { read } from '../handler.ts';
import type { Needs } from '../rooms.ts';

export default read('getDecisions', async (call, { state = '', chat_id, limit, cursor }, { texts }: Needs<'texts'>) => {
  const { tx, caller } = call;
  const chatKey = chat_id === undefined ? 0 : (await requireChat(call, chat_id)).key;
  const [before] = cursor === undefined ? [Number.MAX_SAFE_INTEGER] : decodeCursor('decisions', cursor, ['number']);
  const isPerson = caller.kind === 'human' ? 1 : 0;
  const rows = await tx.all(decisionsFor, caller.key, isPerson, before, state, chatKey, limit + 1);
  const { shown, taken } = await renderPage(call, texts, rows.slice(0, limit));
  const last = taken.length < rows.length ? taken.at(-1) : undefined;
  return {
    items: shown.map(({ message }) => message),
    next_cursor: last && encodeCursor('decisions', last.key),
  };
});
