import type { PublicChat } from '@parley/protocol';
import { forbidden } from '../../core/errors.ts';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { idText } from '../../core/ids.ts';
import { findPublicChats } from '../../conversations/public-chats.ts';
import { avatarUrl } from '../../store/files.ts';
import { newestMessageKey } from '../../store/newest-message.ts';
import { messageByKey } from '../../store/messages.ts';
import type { PublicChatRow } from '../../store/public-chats.ts';
import type { Sql } from '../../store/sql.ts';
import { read } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** A query reads the names of all public groups, so each owner runs one at a time (PUBLIC-3). */
export default read(
  'browseChats',
  async ({ tx, caller }, { query = '', limit, cursor }, { nameSearches }: Needs<'nameSearches'>) => {
    if (caller.kind === 'agent') throw forbidden('only people browse groups');
    const [before] = cursor === undefined ? [Number.MAX_SAFE_INTEGER] : decodeCursor('public', cursor, ['number']);
    const rows = await nameSearches.run(caller.ownerKey, async () =>
      findPublicChats(tx, caller.key, { query: query.trim(), before, limit: limit + 1 }),
    );
    const items: PublicChat[] = [];
    for (const row of rows.slice(0, limit)) items.push(await publicChat(tx, row));
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    return { items, next_cursor: last && encodeCursor('public', last.key) };
  },
);

/** Nothing of the messages but the time of the newest one (PUBLIC-4). */
async function publicChat(tx: Sql, row: PublicChatRow): Promise<PublicChat> {
  const newestKey = await newestMessageKey(tx, row.key);
  const newest = newestKey === 0 ? undefined : await tx.get(messageByKey, newestKey);
  return {
    id: idText(row.id),
    title: row.title ?? '',
    ...(row.description !== null && { description: row.description }),
    ...(row.avatar_name !== null && { avatar_url: avatarUrl(row.avatar_name) }),
    participant_count: row.participant_count,
    ...(newest && { last_message_at: new Date(newest.created_at).toISOString() }),
    joined: row.joined === 1,
    ...(row.is_default === 1 && { is_default: true }),
  };
}
