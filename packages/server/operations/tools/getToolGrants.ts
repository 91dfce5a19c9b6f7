import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { forbidden } from '../../core/errors.ts';
import { shownGrants } from '../../store/shown-calls.ts';
import { grantRecord } from '../../tools/call-records.ts';
import { read } from '../handler.ts';

export default read('getToolGrants', async ({ tx, caller }, { limit, cursor }) => {
  if (caller.kind !== 'human') throw forbidden('only people allow calls');
  const [before, beforeId] =
    cursor === undefined ? [Number.MAX_SAFE_INTEGER, ''] : decodeCursor('toolGrants', cursor, ['number', 'string']);
  const rows = await tx.all(shownGrants, caller.key, before, Buffer.from(beforeId, 'hex'), limit + 1);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map(grantRecord),
    next_cursor: last && encodeCursor('toolGrants', last.created_at, Buffer.from(last.id).toString('hex')),
  };
});
