import type { Conversation } from '@parley/protocol';
import { read } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { RawJson, renderJson } from '../../core/json.ts';
import { allClasses } from '../../log/caps.ts';
import { isParticipant, ownChatByKey, ownChats } from '../../store/chats.ts';
import { ownView } from '../../store/conversation-view.ts';
import { isVisible } from '../../messages/visibility.ts';
import { slicedPage } from '../sliced-page.ts';

/** The start of the list: before all conversations. */
const start = [Number.MAX_SAFE_INTEGER, 0] as const;

export default read(
  'getChats',
  async (call, { limit, cursor }, { hub, log, texts }: Needs<'hub' | 'log' | 'texts'>) => {
    const { tx, caller, now } = call;
    // The head is read before the rows, so a change during the read is in a later frame, even if the rows contain it
    // (CONV-6).
    const head = await hub.headOf(caller.key, allClasses, log.published);
    const [updatedAt, key] = cursor === undefined ? start : decodeCursor('chats', cursor, ['number', 'number']);
    const rows = await tx.all(ownChats, caller.key, updatedAt, key, limit + 1);
    const { shown, taken } = await slicedPage({
      rows: rows.slice(0, limit),
      async render(row, isStale) {
        const chat = isStale ? await tx.get(ownChatByKey, row.key, caller.key) : row;
        if (!chat) return undefined;
        const { view, lastKey } = await ownView(call, chat, caller.key, now, texts);
        return { json: new RawJson<Conversation>(renderJson(view)), lastKey };
      },
      async holds(row, { lastKey }) {
        if (lastKey !== undefined) return isVisible(call, { key: lastKey });
        return (await tx.get(isParticipant, row.key, caller.key)) !== undefined;
      },
    });
    const last = rows[taken - 1];
    const next = last && taken < rows.length ? encodeCursor('chats', last.updated_at, last.key) : undefined;
    return { items: shown.map(({ part }) => part.json), next_cursor: next, head };
  },
);
