// Parses the blocks of a message: a subset of CommonMark without features that span blocks (references, lazy lines,
// underlined headings). A block depends only on its own lines, so a finished one never changes.
import { type Footnote, footnoteOf } from './footnotes.ts';
import { hasClosing, openBehind } from './formulas.ts';
import { parseInlines } from './inline.ts';
import { indentOf, isBlank, type Line, linesOf, type Range, trimmed, withoutIndent } from './lines.ts';
import { itemMarker, readList } from './lists.ts';
import type { MarkKind, MarkListener } from './marks.ts';
import { isTableStart, readTable } from './tables.ts';
import type { TagPair } from './tag-pairs.ts';
import { type Block, type Inline, MOST_NESTED_BLOCKS } from './tree.ts';

const FENCE = /^(`{3,}|~{3,})([^]*)/;
const HEADING = /^(#{1,6})(?:[ \t]|$)/;
const RULE = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
/** The first characters of fences, headings, rules, quotes, list markers and footnotes: most lines begin with none of them. */
const OPENING = /[`~#*_>+\-0-9[]/;
const CODE_INDENT = 4;

/** A block and its start in the source. */
export interface PlacedBlock {
  readonly start: number;
  readonly block: Block;
}

/** A queue of lines; each block takes lines from its front. */
export interface Rest {
  readonly lines: Line[];
  next: number;
  readonly depth: number;
  /** Tags with content are allowed only here, not in quotes or lists. */
  readonly hasTags: boolean;
  /**
   * By closing delimiter of formulas: the line where the search for it continues; lines searched before do not contain
   * it.
   */
  readonly unclosed: Map<string, number>;
}

export interface BlockOptions {
  /** More text may follow. */
  readonly isLive?: boolean;
  readonly onMark?: MarkListener | undefined;
  /** Reads the text of a paragraph, heading or cell; `parseInlines` unless given. */
  readonly readText?: (text: string) => Inline[];
}

export class BlockParser {
  readonly source: string;
  /** A formula is open at the end of streaming text. */
  endsInFormula = false;
  readonly #pairs: ReadonlyMap<number, TagPair>;
  readonly #onMark: MarkListener | undefined;
  readonly #readText: ((text: string) => Inline[]) | undefined;
  /** Text that ends here may continue. */
  readonly #openEnd: number;

  constructor(
    source: string,
    pairs: ReadonlyMap<number, TagPair>,
    { isLive = false, onMark, readText }: BlockOptions = {},
  ) {
    this.source = source;
    this.#pairs = pairs;
    this.#onMark = onMark;
    this.#readText = readText;
    const { length } = source.trimEnd();
    // A blank line after the text ended its last block.
    const rest = source.slice(length);
    const isOpen = isLive && rest.indexOf('\n') === rest.lastIndexOf('\n');
    this.#openEnd = isOpen ? length : Infinity;
  }

  /** Parses a range of the source. */
  range(start: number, end: number, depth = 0): PlacedBlock[] {
    return [...this.read(start, end, depth)];
  }

  /** Parses a range of the source block by block, so that the caller can stop early. */
  read(start: number, end: number, depth = 0): Generator<PlacedBlock> {
    return this.#read({ lines: linesOf(this.source, start, end), next: 0, depth, hasTags: true, unclosed: new Map() });
  }

  /** Parses lines without their prefixes, as in quotes and list items. */
  lines(lines: Line[], depth: number): Block[] {
    return Array.from(this.#read({ lines, next: 0, depth, hasTags: false, unclosed: new Map() }), ({ block }) => block);
  }

  /** Parses ranges as inline text, one per line. `isOpen`: more may follow. */
  inlines(ranges: readonly Range[], isOpen = false): Inline[] {
    const text = ranges.map(({ start, end }) => this.source.slice(start, end)).join('\n');
    if (this.#readText) return this.#readText(text);
    const onMark = this.#onMark;
    const onOpenFormula = isOpen ? () => (this.endsInFormula = true) : undefined;
    if (!onMark) return parseInlines(text, { onOpenFormula });
    const places = ranges.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, at) => start + at));
    return parseInlines(text, {
      onOpenFormula,
      onMark: (kind, start, end) => onMark({ kind, start: places[start] ?? 0, end: (places[end - 1] ?? 0) + 1 }),
    });
  }

  mark(kind: MarkKind, start: number, end: number): void {
    if (end > start) this.#onMark?.({ kind, start, end });
  }

  *#read(rest: Rest): Generator<PlacedBlock> {
    while (rest.next < rest.lines.length) {
      const line = rest.lines[rest.next];
      if (!line || isBlank(this.source, line)) {
        rest.next += 1;
        continue;
      }
      yield { start: line.start, block: this.#block(rest, line) };
    }
  }

  #block(rest: Rest, line: Line): Block {
    const { at, columns } = indentOf(this.source, line);
    if (columns >= CODE_INDENT) return this.#indentedCode(rest);
    const pair = rest.hasTags ? this.#pairs.get(at) : undefined;
    if (pair) return this.#container(rest, at, pair);
    const opened = OPENING.test(this.source.charAt(at))
      ? this.#opened(rest, { start: at, end: line.end }, columns)
      : undefined;
    if (opened) return opened;
    if (isTableStart(this.source, line, rest.lines[rest.next + 1])) return readTable(this, rest);
    return this.#paragraph(rest);
  }

  /** The block that begins with a mark; undefined for text. */
  #opened(rest: Rest, line: Line, columns: number): Block | undefined {
    const text = this.source.slice(line.start, line.end);
    const fence = fenceOf(text);
    if (fence) return this.#fencedCode(rest, { at: line.start, columns, ...fence });
    const level = HEADING.exec(text)?.[1]?.length;
    if (level !== undefined) return this.#heading(rest, line, level);
    if (RULE.test(text)) {
      rest.next += 1;
      this.mark('rule', line.start, line.end);
      return { kind: 'rule' };
    }
    const footnote = footnoteOf(text);
    if (footnote) return this.#footnote(rest, line, footnote);
    if (rest.depth >= MOST_NESTED_BLOCKS) return undefined;
    if (text.startsWith('>')) return this.#quote(rest);
    return itemMarker(text) ? readList(this, rest) : undefined;
  }

  #footnote(rest: Rest, { start, end }: Range, { number, length }: Footnote): Block {
    this.mark('footnote', start, start + 2);
    this.mark('footnote', start + length - 2, start + length);
    rest.lines[rest.next] = { start: start + length, end };
    return { kind: 'footnote', number, children: this.#text(rest) };
  }

  #paragraph(rest: Rest): Block {
    return { kind: 'paragraph', children: this.#text(rest) };
  }

  /** The next lines as far as no other block begins, at least one. */
  #text(rest: Rest): Inline[] {
    const first = rest.next;
    let formula: { lastLine: number; closing?: string | undefined } = { lastLine: first };
    for (; rest.next < rest.lines.length; rest.next += 1) {
      if (rest.next > formula.lastLine && this.#interrupts(rest)) break;
      if (rest.next < formula.lastLine) continue;
      formula = this.#formulaFrom(rest, rest.next === formula.lastLine ? formula.closing : undefined);
    }
    const lines = rest.lines.slice(first, rest.next);
    const isOpen = (lines.at(-1)?.end ?? 0) >= this.#openEnd;
    return this.inlines(
      lines.map((line) => trimmed(this.source, line)),
      isOpen,
    );
  }

  /**
   * If the next line leaves a formula open that closes before a blank line, returns its last line and closing
   * delimiter. `open` is the closing delimiter of a formula that was already open before that line.
   */
  #formulaFrom({ lines, next, unclosed }: Rest, open: string | undefined): { lastLine: number; closing?: string } {
    const textOf = ({ start, end }: Line): string => this.source.slice(start, end);
    const line = lines[next];
    const closing = line && openBehind(textOf(line), open);
    if (closing === undefined) return { lastLine: next };
    let at = Math.max(next + 1, unclosed.get(closing) ?? 0);
    for (; ; at += 1) {
      const following = lines[at];
      if (!following || isBlank(this.source, following)) break;
      if (hasClosing(textOf(following), closing)) return { lastLine: at, closing };
    }
    unclosed.set(closing, at);
    return { lastLine: (lines[at - 1]?.end ?? 0) >= this.#openEnd ? at - 1 : next };
  }

  /** Whether the next line ends a paragraph. */
  #interrupts({ lines, next, depth, hasTags }: Rest): boolean {
    const line = lines[next];
    if (!line || isBlank(this.source, line)) return true;
    const { at, columns } = indentOf(this.source, line);
    if (columns >= CODE_INDENT) return false;
    if (hasTags && this.#pairs.has(at)) return true;
    if (OPENING.test(this.source.charAt(at)) && opensWithin(this.source.slice(at, line.end), depth)) return true;
    return isTableStart(this.source, line, lines[next + 1]);
  }

  #heading(rest: Rest, line: Range, level: number): Block {
    rest.next += 1;
    this.mark('heading', line.start, line.start + level);
    const { start, end } = trimmed(this.source, { start: line.start + level, end: line.end });
    let closing = end;
    while (closing > start && this.source[closing - 1] === '#') closing -= 1;
    // Closing marks are preceded by a space.
    if (closing > start && !/[ \t]/.test(this.source.charAt(closing - 1))) closing = end;
    this.mark('heading', closing, end);
    return { kind: 'heading', level, children: this.inlines([trimmed(this.source, { start, end: closing })]) };
  }

  #quote(rest: Rest): Block {
    const lines: Line[] = [];
    for (; rest.next < rest.lines.length; rest.next += 1) {
      const line = rest.lines[rest.next];
      if (!line) break;
      const { at, columns } = indentOf(this.source, line);
      if (columns >= CODE_INDENT || this.source[at] !== '>' || at >= line.end) break;
      this.mark('quote', at, at + 1);
      lines.push(withoutIndent(this.source, { start: at + 1, end: line.end }, 1));
    }
    return { kind: 'quote', blocks: this.lines(lines, rest.depth + 1) };
  }

  #fencedCode(rest: Rest, open: { at: number; columns: number; fence: string; info: string }): Block {
    const { fence, info, columns } = open;
    this.mark('fence', open.at, open.at + fence.length);
    rest.next += 1;
    const parts: string[] = [];
    while (rest.next < rest.lines.length) {
      const line = rest.lines[rest.next];
      rest.next += 1;
      if (!line) break;
      const { at, columns: indent } = indentOf(this.source, line);
      const text = this.source.slice(at, line.end).trimEnd();
      if (indent < CODE_INDENT && text.startsWith(fence) && text === fence.charAt(0).repeat(text.length)) {
        this.mark('fence', at, line.end);
        break;
      }
      const { start, end } = withoutIndent(this.source, line, columns);
      parts.push(this.source.slice(start, end));
    }
    return { kind: 'code', info, text: parts.join('\n') };
  }

  #indentedCode(rest: Rest): Block {
    const parts: string[] = [];
    let length = 0;
    for (let at = rest.next; at < rest.lines.length; at += 1) {
      const line = rest.lines[at];
      if (!line) break;
      const isEmpty = isBlank(this.source, line);
      if (!isEmpty && indentOf(this.source, line).columns < CODE_INDENT) break;
      const { start, end } = withoutIndent(this.source, line, CODE_INDENT);
      parts.push(this.source.slice(start, end));
      if (!isEmpty) length = parts.length;
    }
    rest.next += length;
    return { kind: 'code', info: '', text: parts.slice(0, length).join('\n') };
  }

  #container(rest: Rest, at: number, { tag, start, end, after }: TagPair): Block {
    this.mark('tag', at, start);
    this.mark('tag', end, after);
    const inner = this.range(start, end, rest.depth + 1).map(({ block }) => block);
    // Text after the end tag is a line of its own.
    while ((rest.lines[rest.next]?.end ?? after) < after) rest.next += 1;
    const line = rest.lines[rest.next];
    if (line) rest.lines[rest.next] = { start: after, end: line.end };
    return { kind: 'tag', name: tag.name, attributes: tag.attributes, blocks: inner };
  }
}

/** Whether a line within a paragraph begins with a mark of another block. */
function opensWithin(text: string, depth: number): boolean {
  if (fenceOf(text) || HEADING.test(text) || RULE.test(text) || footnoteOf(text)) return true;
  if (depth >= MOST_NESTED_BLOCKS) return false;
  if (text.startsWith('>')) return true;
  const marker = itemMarker(text);
  // `2024. That was a year` within a paragraph does not start a list.
  return marker !== undefined && text.length > marker.length && (marker.number === null || marker.number === 1);
}

function fenceOf(text: string): { fence: string; info: string } | undefined {
  const [, fence, info = ''] = FENCE.exec(text) ?? [];
  return fence === undefined || (fence.startsWith('`') && info.includes('`'))
    ? undefined
    : { fence, info: info.trim() };
}
