import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { allClasses } from '../../log/caps.ts';
import { ownChats, pinnedChats } from '../../store/chats.ts';
import { read } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { renderedChats } from './rendered-chats.ts';

/** The start of the list: before all conversations. */
const start = [Number.MAX_SAFE_INTEGER, 0] as const;

export default read(
  'getChats',
  async (call, { limit, cursor, is_pinned }, { hub, log, texts }: Needs<'hub' | 'log' | 'texts'>) => {
    const { tx, caller } = call;
    // The head is read before the rows, so a change during the read is in a later frame, even if the rows contain it
    // (CONV-6).
    const head = await hub.headOf(caller.key, allClasses, log.published);
    const [updatedAt, key] = cursor === undefined ? start : decodeCursor('chats', cursor, ['number', 'number']);
    const rows = await tx.all(is_pinned ? pinnedChats : ownChats, caller.key, updatedAt, key, limit + 1);
    const { items, taken } = await renderedChats(call, rows.slice(0, limit), texts);
    const last = rows[taken - 1];
    const next = last && taken < rows.length ? encodeCursor('chats', last.updated_at, last.key) : undefined;
    return { items, next_cursor: next, head };
  },
);
