import type { Input } from '@parley/protocol';
import { type ReadCall, read } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { decodeCursor, encodeCursor, notOurs } from '../../core/cursor.ts';
import { chatMedia } from '../../store/chat-media.ts';
import { requireChat } from '../../access/chats.ts';
import { keyInChat, renderPage } from './history-page.ts';

const END = Number.MAX_SAFE_INTEGER;

/** The messages with media, files or links of all timelines of a conversation (FILE-21 … FILE-23). */
export default read('getChatMedia', async (call, input, { texts }: Needs<'texts'>) => {
  const chat = await requireChat(call, input.chat_id);
  const { way, key } = await startOf(call, chat.key, input);
  const rows = await call.tx.all(chatMedia[input.kind][way], chat.key, call.caller.key, key, input.limit + 1);
  const { shown, taken } = await renderPage(call, texts, rows.slice(0, input.limit));
  // The caller may have been removed while the page was rendered.
  await requireChat(call, input.chat_id);
  const last = taken.at(-1);
  const hasMore = last !== undefined && taken.length < rows.length;
  return {
    items: shown.map(({ message }) => message),
    next_cursor: hasMore ? encodeCursor('media', way, last.key) : undefined,
  };
});

type Way = 'older' | 'newer';

async function startOf(
  call: ReadCall,
  chatKey: number,
  { before, after, cursor }: Input<'getChatMedia'>,
): Promise<{ way: Way; key: number }> {
  if (cursor !== undefined) {
    const [way, key] = decodeCursor('media', cursor, ['string', 'number']);
    if (way !== 'older' && way !== 'newer') throw notOurs();
    return { way, key };
  }
  if (after !== undefined) return { way: 'newer', key: await keyInChat(call, chatKey, after) };
  return { way: 'older', key: before === undefined ? END : await keyInChat(call, chatKey, before) };
}
