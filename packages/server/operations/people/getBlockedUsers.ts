import { read } from '../handler.ts';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { accountByKey } from '../../store/accounts.ts';
import { accountRecord } from '../../rendering/accounts.ts';
import { blocksOf } from '../../store/blocks.ts';

/** The start of the list: before all blocks. */
const start = [Number.MAX_SAFE_INTEGER, 0] as const;

export default read('getBlockedUsers', async ({ tx, caller }, { limit, cursor }) => {
  const [createdAt, key] = cursor === undefined ? start : decodeCursor('blocks', cursor, ['number', 'number']);
  const rows = await tx.all(blocksOf, caller.key, createdAt, key, limit + 1);
  const page = rows.slice(0, limit);
  const accounts = await tx.gather(
    accountByKey,
    page.map((row) => row.blocked_key),
  );
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: accounts.map(accountRecord),
    next_cursor: last && encodeCursor('blocks', last.created_at, last.blocked_key),
  };
});
