import { limits, type Report } from '@parley/protocol';
import { read } from '../handler.ts';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { isOnlyOwner } from '../../people/only-owner.ts';
import { reportRecord } from '../../rendering/reports.ts';
import { openReports, resolvedReports } from '../../store/reports.ts';

/**
 * Reports of the caller's own messages are left out, unless nobody else could resolve them (REPORT-4). A page also ends at
 * its bytes, with at least one report (HIST-10).
 */
export default read('getReports', async (call, { state = 'open', limit, cursor }) => {
  const { tx, caller } = call;
  const kind = `${state} reports`;
  const [from] =
    cursor === undefined ? [state === 'open' ? 0 : Number.MAX_SAFE_INTEGER] : decodeCursor(kind, cursor, ['number']);
  const without = (await isOnlyOwner(tx, caller)) ? 0 : caller.key;
  const rows = await tx.all(state === 'open' ? openReports : resolvedReports, from, limit + 1, without);
  const items: Report[] = [];
  let bytes = 0;
  for (const row of rows.slice(0, limit)) {
    const report = await reportRecord(tx, row);
    bytes += Buffer.byteLength(JSON.stringify(report));
    if (items.length > 0 && bytes > limits.pageBytes) break;
    items.push(report);
  }
  const last = rows.length > items.length ? rows[items.length - 1] : undefined;
  return { items, next_cursor: last && encodeCursor(kind, last.key) };
});
