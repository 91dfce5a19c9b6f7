import type { AuditRow } from '@parley/protocol';

const columns = ['at', 'actor', 'action', 'target', 'details', 'address'] as const;

/**
 * A cell of a table of comma-separated values. A text that a spreadsheet would read as a formula gets an apostrophe in
 * front: names in the audit are chosen by anybody, also by who only tried to sign in (WEB-726).
 */
export const csvCell = (text: string): string =>
  `"${(/^\s*[=+\-@|%\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

const line = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** The names of the columns, in UTF-8 that spreadsheets recognize. */
export const csvHead = `\uFEFF${line(columns)}`;

export const csvRow = ({ at, actor, action, target, details, address }: AuditRow): string =>
  line([at, actor ?? '', action, target ?? '', details === undefined ? '' : JSON.stringify(details), address ?? '']);
