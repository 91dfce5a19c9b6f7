import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { emojiRecord } from '../../files/emoji.ts';
import { emojiAfter } from '../../store/emoji.ts';
import { read } from '../handler.ts';

export default read('getEmoji', async ({ tx, caller }, { limit, cursor }) => {
  const [after] = cursor === undefined ? [''] : decodeCursor('emoji', cursor, ['string']);
  const rows = await tx.all(emojiAfter, after, limit + 1);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map((row) => emojiRecord(row, caller.key)),
    next_cursor: last && encodeCursor('emoji', last.name),
  };
});
