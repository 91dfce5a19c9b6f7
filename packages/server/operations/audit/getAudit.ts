// The audit of the installation, for its owners.
import { read } from '../handler.ts';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { idText } from '../../core/ids.ts';
import { auditPage, type AuditRow } from '../../store/audit.ts';

const END = Number.MAX_SAFE_INTEGER;

/** Rows never change, so each that was there at the first page is on exactly one of the pages (AUDIT-7). */
export default read('getAudit', async ({ tx }, { after, before, limit, cursor, ...wanted }) => {
  const end = before === undefined ? END : Date.parse(before);
  const [at, key] = cursor === undefined ? [end, -1] : decodeCursor('audit', cursor, ['number', 'number']);
  const rows = await auditPage(tx, wanted, [at, key, after === undefined ? 0 : Date.parse(after), limit + 1]);
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return { items: items.map(record), next_cursor: last && encodeCursor('audit', last.at, last.key) };
});

const record = ({ id, at, actor, action, target, details, address }: AuditRow) => ({
  id: idText(id),
  at: new Date(at).toISOString(),
  actor,
  action,
  target: target ?? undefined,
  // Written by writeAudit.
  details: details === null ? undefined : (JSON.parse(details) as Record<string, unknown>),
  address: address ?? undefined,
});
