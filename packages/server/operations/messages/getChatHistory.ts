import { visibleBefore, visibleFrom } from '../../store/timelines.ts';
import { isUuid } from '@parley/protocol';
import type { Input } from '@parley/protocol';
import { type ReadCall, read } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { firstIdBytes } from '../../core/ids.ts';
import { requireChat } from '../../access/chats.ts';
import { firstSince, type Light, type MessageRow } from '../../store/messages.ts';
import { keyInChat, renderPage, type ShownMessage } from './history-page.ts';
import { requireTimeline } from '../../messages/timeline.ts';

const END = Number.MAX_SAFE_INTEGER;

export default read('getChatHistory', async (call, input, { texts }: Needs<'texts'>) => {
  const { tx, caller } = call;
  const chat = await requireChat(call, input.chat_id);
  const { channelKey, threadKey } = await requireTimeline(call, chat, input, { deletedRoot: true });
  const place = [chat.key, channelKey, threadKey, caller.key] as const;
  const before = (key: number, limit: number) => tx.all(visibleBefore, ...place, key, limit);
  const from = (key: number, limit: number) => tx.all(visibleFrom, ...place, key, limit);

  if (input.after !== undefined) {
    const after = await keyInChat(call, chat.key, input.after);
    const { shown, taken } = await page(await from(after + 1, input.limit));
    return { items: messagesOf(shown), next_cursor: await olderCursor(taken[0]) };
  }
  if (input.around !== undefined) {
    const key = await keyAround(call, chat.key, input.around);
    const older = await before(key, input.limit);
    const newer = await from(key, input.limit);
    const half = Math.floor(input.limit / 2);
    const olderCount = Math.min(older.length, Math.max(half, input.limit - newer.length));
    // From the middle outwards: a page that is cut at its maximum size still contains the requested place.
    const window = alternate(newer.slice(0, input.limit - olderCount), older.slice(0, olderCount));
    const { shown, taken } = await page(window);
    const items = messagesOf(shown.toSorted((a, b) => a.row.key - b.row.key));
    return { items, next_cursor: await olderCursor(taken.toSorted((a, b) => a.key - b.key)[0]) };
  }
  const rows = await before(cursorKey(input), input.limit + 1);
  const { shown, taken } = await page(rows.slice(0, input.limit));
  const oldest = taken.at(-1);
  const more = oldest !== undefined && taken.length < rows.length;
  return { items: messagesOf(shown).toReversed(), next_cursor: more ? encodeCursor('history', oldest.key) : undefined };

  async function page(window: readonly Light<MessageRow>[]) {
    const rendered = await renderPage(call, texts, window);
    // The caller may have been removed, or the channel deleted, while the page was rendered.
    await requireTimeline(call, await requireChat(call, input.chat_id), input, { deletedRoot: true });
    return rendered;
  }

  async function olderCursor(oldest: Light<MessageRow> | undefined): Promise<string | undefined> {
    if (!oldest || (await before(oldest.key, 1)).length === 0) return undefined;
    return encodeCursor('history', oldest.key);
  }
});

const messagesOf = (shown: readonly ShownMessage[]) => shown.map(({ message }) => message);

const alternate = <Item>(one: readonly Item[], other: readonly Item[]): Item[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, at) => [one[at], other[at]])
    .flat()
    .filter((item) => item !== undefined);

function cursorKey(input: Input<'getChatHistory'>): number {
  if (input.cursor === undefined) return END;
  const [key] = decodeCursor('history', input.cursor, ['number']);
  return key;
}

async function keyAround(call: ReadCall, chatKey: number, around: string): Promise<number> {
  if (isUuid(around)) return keyInChat(call, chatKey, around.toLowerCase());
  return (await call.tx.get(firstSince, firstIdBytes(Date.parse(around))))?.key ?? END;
}
