import type { BlockParser, Rest } from './blocks.ts';
import { CodeSpans } from './code-spans.ts';
import { isBlank, type Line, type Range, trimmed } from './lines.ts';
import type { Alignment, Block, Cell } from './tree.ts';

const RULE = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/;
const MAX_INDENT = 3;

/** Whether a table starts: a row with bars above a rule with as many columns. */
export function isTableStart(source: string, line: Line, next: Line | undefined): boolean {
  if (!next || next.isLazy) return false;
  const { start, end } = trimmed(source, next);
  const first = source.charAt(start);
  if ((first !== '|' && first !== '-' && first !== ':') || start - next.start > MAX_INDENT) return false;
  const rule = source.slice(start, end);
  if (!rule.includes('|') || !RULE.test(rule)) return false;
  const text = source.slice(line.start, line.end);
  return text.includes('|') && cellsOf(source, line).cells.length === cellsOf(source, next).cells.length;
}

/** Parses the table at the next line. Rows may have fewer or more cells than the head; all are kept. */
export function readTable(parser: BlockParser, rest: Rest): Block {
  const { source } = parser;
  const [head, rule] = rest.lines.slice(rest.next, rest.next + 2);
  const alignments = rule
    ? cellsOf(source, rule).cells.map((cell) => alignmentOf(source.slice(cell.start, cell.end)))
    : [];
  if (rule) parser.mark('table rule', rule.start, rule.end);
  const rows: Cell[][] = [];
  const readRow = (line: Line): Cell[] => {
    const { cells, bars } = cellsOf(source, line);
    for (const bar of bars) parser.mark('table bar', bar, bar + 1);
    return cells.map((cell) => parser.inlines(withoutEscapes(parser, cell), parser.isOpenAt(cell.end), ''));
  };
  const headCells = head ? readRow(head) : [];
  rest.next += 2;
  for (; rest.next < rest.lines.length; rest.next += 1) {
    const line = rest.lines[rest.next];
    if (!line || line.isLazy || isBlank(source, line) || !source.slice(line.start, line.end).includes('|')) break;
    rows.push(readRow(line));
  }
  return { kind: 'table', alignments, head: headCells, rows };
}

/** The parts of a cell between the backslashes of escaped bars, which are hidden in code too. */
function withoutEscapes(parser: BlockParser, cell: Range): Range[] {
  const { start, end } = cell;
  const text = parser.source.slice(start, end);
  if (!text.includes('\\|')) return [cell];
  const parts: Range[] = [];
  let from = start;
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at + 2)) {
    if (text[at + 1] !== '|') continue;
    parser.mark('escape', start + at, start + at + 1);
    parts.push({ start: from, end: start + at });
    from = start + at + 1;
  }
  parts.push({ start: from, end });
  return parts;
}

function alignmentOf(rule: string): Alignment {
  const [left, right] = [rule.startsWith(':'), rule.endsWith(':')];
  return left && right ? 'center' : right ? 'right' : left ? 'left' : null;
}

/** The cells of a row. Escaped bars and bars in code do not separate cells. */
function cellsOf(source: string, line: Line): { cells: Range[]; bars: number[] } {
  const { start, end } = trimmed(source, line);
  const bars: number[] = [];
  let spans: CodeSpans | undefined;
  for (let at = start; at < end; at += 1) {
    const char = source[at];
    if (char === '|') bars.push(at);
    else if (char === '\\') at += 1;
    else if (char === '`') {
      spans ??= new CodeSpans(source, at, end);
      const length = spans.runAt(at);
      at = (spans.closeOf(at, length) ?? at) + length - 1;
    }
  }
  const edges = [...bars];
  if (edges[0] !== start) edges.unshift(start - 1);
  if (edges.at(-1) !== end - 1 || edges.length === 1) edges.push(end);
  const cells: Range[] = [];
  for (let at = 0; at + 1 < edges.length; at += 1) {
    cells.push(trimmed(source, { start: (edges[at] ?? 0) + 1, end: edges[at + 1] ?? end }));
  }
  return { cells, bars };
}
