import type { Line, Outcome } from './scenario.ts';
import { verdictOf } from './scenario.ts';

export function formatted(value: number | undefined): string {
  if (value === undefined) return 'n/a';
  const digits = Math.abs(value) >= 1_000 ? 0 : Math.abs(value) >= 100 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: 0, maximumFractionDigits: digits });
}

function targetOf(line: Line): string {
  if (line.target === undefined) return '';
  return 'atLeast' in line.target ? `≥ ${formatted(line.target.atLeast)}` : `≤ ${formatted(line.target.atMost)}`;
}

export interface Row {
  key: string;
  outcome: Outcome | undefined;
}

const headings = ['scenario', 'figure', 'measured', '', 'target', ''];
/** Numbers are right-aligned, text is left-aligned. */
const flushRight = [false, false, true, false, true, false];

/** All figures with their targets. */
export function table(rows: readonly Row[]): string {
  const cells = rows.flatMap(({ key, outcome }) =>
    outcome === undefined
      ? [[key, 'failed', '', '', '', 'n/a']]
      : outcome.lines.map((line, index) => [
          index === 0 ? key : '',
          line.figure,
          formatted(line.value),
          line.unit,
          targetOf(line),
          verdictOf(line),
        ]),
  );
  const all = [headings, ...cells];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const text = all.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return flushRight[column] ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
  const rule = '-'.repeat(Math.max(...text.map((line) => line.length)));
  return [text[0], rule, ...text.slice(1)].join('\n');
}
