import { requireChat } from '../../access/chats.ts';
import type { ReadCall } from '../handler.ts';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { decisionPages } from '../../store/decisions.ts';
import type { Light, MessageRow } from '../../store/messages.ts';
import { renderPage } from '../messages/history-page.ts';
import { read } from '../handler.ts';
import type { Needs } from '../rooms.ts';

export default read('getDecisions', async (call, { state = '', chat_id, limit, cursor }, { texts }: Needs<'texts'>) => {
  const chatKey = chat_id === undefined ? undefined : (await requireChat(call, chat_id)).key;
  const [before] = cursor === undefined ? [Number.MAX_SAFE_INTEGER] : decodeCursor('decisions', cursor, ['number']);
  const rows = await newest(call, { state, chatKey, before, count: limit + 1 });
  const { shown, taken } = await renderPage(call, texts, rows.slice(0, limit));
  const last = taken.length < rows.length ? taken.at(-1) : undefined;
  return {
    items: shown.map(({ message }) => message),
    next_cursor: last && encodeCursor('decisions', last.key),
  };
});

interface Asked {
  state: string;
  /** Undefined: all conversations. */
  chatKey: number | undefined;
  before: number;
  count: number;
}

/** The newest decisions before one, of one conversation or of all: these are read until none of the others has a newer one. */
async function newest(
  { tx, caller }: ReadCall,
  { state, chatKey, before, count }: Asked,
): Promise<Light<MessageRow>[]> {
  const pages = state === 'open' ? decisionPages.open : decisionPages.any;
  const isPerson = caller.kind === 'human' ? 1 : 0;
  const inChat = (key: number) => tx.all(pages.inChat, caller.key, key, isPerson, before, state, count);
  if (chatKey !== undefined) return inChat(chatKey);
  const chats = (await tx.all(pages.chats, caller.key, before)).flatMap(({ chat_key: key, newest: top }) =>
    top === null ? [] : [{ key, top }],
  );
  let found: Light<MessageRow>[] = [];
  for (const { key, top } of chats.toSorted((a, b) => b.top - a.top)) {
    const oldest = found[count - 1];
    if (oldest && oldest.key > top) break;
    found = [...found, ...(await inChat(key))].toSorted((a, b) => b.key - a.key).slice(0, count);
  }
  return found;
}
