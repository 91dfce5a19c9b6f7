import { type Conversation, limits } from '@parley/protocol';
import { read } from '../../call.ts';
import { decodeCursor, encodeCursor } from '../../cursor.ts';
import { RawJson, renderJson } from '../../json.ts';
import { allClasses } from '../../sockets/caps.ts';
import { Slice } from '../../slices.ts';
import { ownChats } from '../../store/chats.ts';
import { conversationView } from '../../store/conversation-view.ts';

/** Before every conversation there is. */
const start = [Number.MAX_SAFE_INTEGER, 0] as const;

export default read('getChats', async ({ tx, caller, now, service }, { limit, cursor }) => {
  // Before the rows: what happens meanwhile is then in both, and nothing in neither (CONV-6).
  const head = service.hub.headOf(caller.key, allClasses);
  const [updatedAt, key] = cursor === undefined ? start : decodeCursor('chats', cursor, ['number', 'number']);
  const rows = await tx.all(ownChats, caller.key, updatedAt, key, limit + 1);
  const items: RawJson<Conversation>[] = [];
  let bytes = 0;
  const slice = new Slice();
  for (const row of rows.slice(0, limit)) {
    const text = renderJson(await conversationView(tx, row, caller.key, now, service.texts));
    bytes += Buffer.byteLength(text);
    if (items.length > 0 && bytes > limits.pageBytes) break;
    items.push(new RawJson(text));
    await slice.pause();
  }
  const last = rows[items.length - 1];
  const next = last && items.length < rows.length ? encodeCursor('chats', last.updated_at, last.key) : undefined;
  return { items, next_cursor: next, head };
});
