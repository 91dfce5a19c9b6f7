// Parses the blocks of a message: CommonMark without HTML, references and underlined headings (TEXT-6). A block depends
// only on its own lines, so a finished one never changes.
import { ruleOf } from './tag-names.ts';
import type { AddressRules } from './addresses.ts';
import { type Footnote, footnoteOf } from './footnotes.ts';
import { hasClosing, openBehind } from './formulas.ts';
import { escapesIn, unescaped } from './entities.ts';
import { parseInlines } from './inline.ts';
import {
  codeOf,
  indentOf,
  isBlank,
  type Line,
  lineFrom,
  linesOf,
  type Range,
  trimmed,
  trimmedStart,
  withoutIndent,
} from './lines.ts';
import { itemMarker, readList } from './lists.ts';
import type { MarkKind, MarkListener } from './marks.ts';
import { isTableStart, readTable } from './tables.ts';
import type { TagPair } from './tag-pairs.ts';
import { type Block, type Inline, MAX_NESTED_BLOCKS } from './tree.ts';

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
  /** A blank line stands before the next line. */
  isAfterBlank: boolean;
  /** A blank line stands between two of its blocks. */
  isSpaced: boolean;
}

/** What the lines of a list item or quote contain. */
export interface Content {
  readonly blocks: Block[];
  readonly isSpaced: boolean;
  /** The number of lines that were read: lazy lines that continue no paragraph are left. */
  readonly read: number;
}

export interface BlockOptions {
  /** More text may follow. */
  readonly isLive?: boolean;
  readonly onMark?: MarkListener | undefined;
  /** Called for each line of a block of code. */
  readonly onCode?: ((line: Range) => void) | undefined;
  /** Called with the fence that no line closes, if it is in no quote or list: all that follows the text would be code. */
  readonly onOpenFence?: ((fence: string) => void) | undefined;
  /** Reads the text of a paragraph, heading or cell; `parseInlines` unless given. */
  readonly readText?: (text: string) => Inline[];
  /** Which addresses become links and images; TEXT-2 unless given. */
  readonly addresses?: AddressRules | undefined;
}

/** The beginning of a tag, up to its name. */
const TAG_NAME = /^\{%[ \t]*([a-z_-]+)/i;
const MAX_TAG_HEAD = 64;

export class BlockParser {
  readonly source: string;
  /** A formula is open at the end of streaming text. */
  endsInFormula = false;
  readonly #pairs: ReadonlyMap<number, TagPair>;
  readonly #onMark: MarkListener | undefined;
  readonly #onCode: BlockOptions['onCode'];
  readonly #onOpenFence: BlockOptions['onOpenFence'];
  readonly #readText: ((text: string) => Inline[]) | undefined;
  readonly #addresses: AddressRules | undefined;
  /** Text that ends here may continue. */
  readonly #openEnd: number;

  constructor(
    source: string,
    pairs: ReadonlyMap<number, TagPair>,
    { isLive = false, onMark, onCode, onOpenFence, readText, addresses }: BlockOptions = {},
  ) {
    this.source = source;
    this.#pairs = pairs;
    this.#onMark = onMark;
    this.#onCode = onCode;
    this.#onOpenFence = onOpenFence;
    this.#readText = readText;
    this.#addresses = addresses;
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
    return this.#read(restOf(linesOf(this.source, start, end), depth, true));
  }

  /** Parses lines without their prefixes, as in quotes and list items. */
  lines(lines: Line[], depth: number): Content {
    const rest = restOf(lines, depth, false);
    const blocks = Array.from(this.#read(rest), ({ block }) => block);
    return { blocks, isSpaced: rest.isSpaced, read: rest.next };
  }

  /** Parses ranges as inline text, one per line unless they are joined otherwise. `isOpen`: more may follow. */
  inlines(ranges: readonly Range[], isOpen = false, joint = '\n'): Inline[] {
    let [text, separator] = ['', ''];
    for (const { start, end } of ranges) {
      text += separator + this.source.slice(start, end);
      separator = joint;
    }
    if (this.#readText) return this.#readText(text);
    const onMark = this.#onMark;
    const onOpenFormula = isOpen ? () => (this.endsInFormula = true) : undefined;
    const addresses = this.#addresses;
    if (!onMark) return parseInlines(text, { onOpenFormula, addresses });
    const places = ranges.flatMap(({ start, end }) =>
      Array.from({ length: end - start + joint.length }, (_, at) => start + at),
    );
    return parseInlines(text, {
      onOpenFormula,
      addresses,
      onMark: (kind, start, end, shown) =>
        onMark({ kind, start: places[start] ?? 0, end: (places[end - 1] ?? 0) + 1, shown }),
    });
  }

  /** Whether what ends here may go on. */
  isOpenAt(end: number): boolean {
    return end >= this.#openEnd;
  }

  mark(kind: MarkKind, start: number, end: number): void {
    if (end > start) this.#onMark?.({ kind, start, end });
  }

  *#read(rest: Rest): Generator<PlacedBlock> {
    let isFirst = true;
    while (rest.next < rest.lines.length) {
      const line = rest.lines[rest.next];
      if (!line || isBlank(this.source, line)) {
        rest.next += 1;
        rest.isAfterBlank = true;
        continue;
      }
      // No paragraph is left that it could continue.
      if (line.isLazy) return;
      if (rest.isAfterBlank && !isFirst) rest.isSpaced = true;
      rest.isAfterBlank = false;
      isFirst = false;
      yield { start: line.start, block: this.#block(rest, line) };
    }
  }

  #block(rest: Rest, line: Line): Block {
    const { at, column, columns } = indentOf(this.source, line);
    if (columns >= CODE_INDENT) return this.#indentedCode(rest);
    const pair = rest.hasTags ? this.#pairs.get(at) : undefined;
    if (pair) return this.#container(rest, at, pair);
    const opened = OPENING.test(this.source.charAt(at))
      ? this.#opened(rest, lineFrom(at, line.end, column), columns)
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
    if (rest.depth >= MAX_NESTED_BLOCKS) return undefined;
    if (text.startsWith('>')) return this.#quote(rest);
    return itemMarker(text) ? readList(this, rest) : undefined;
  }

  #footnote(rest: Rest, { start, end }: Range, { number, length }: Footnote): Block {
    this.mark('footnote', start, start + 2);
    this.mark('footnote', start + length - 2, start + length);
    rest.lines[rest.next] = lineFrom(start + length, end);
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
    const ranges: Range[] = [];
    for (let at = first; at < rest.next; at += 1) {
      const line = rest.lines[at];
      if (line) ranges.push(at + 1 < rest.next ? trimmedStart(this.source, line) : trimmed(this.source, line));
    }
    return this.inlines(ranges, this.isOpenAt(ranges.at(-1)?.end ?? 0));
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
    // It was taken because it continues a paragraph.
    if (line.isLazy) return false;
    const { at, columns } = indentOf(this.source, line);
    if (columns >= CODE_INDENT) return false;
    if (hasTags && this.#pairs.has(at)) return true;
    if (OPENING.test(this.source.charAt(at)) && opensWithin(this.source.slice(at, line.end), depth)) return true;
    return isTableStart(this.source, line, lines[next + 1]);
  }

  /** Whether the next line, which lacks the indentation of an item, can continue a paragraph in it. */
  mayContinue({ lines, next, depth }: Rest): boolean {
    const line = lines[next];
    if (!line || line.isLazy) return line !== undefined;
    const { at, columns } = indentOf(this.source, line);
    if (columns >= CODE_INDENT) return true;
    // A line that begins with a tag ends the item; otherwise a card below a list would become text of its last item.
    const name = TAG_NAME.exec(this.source.slice(at, at + MAX_TAG_HEAD))?.[1];
    if (name !== undefined && ruleOf(name)) return false;
    if (OPENING.test(this.source.charAt(at))) {
      const text = this.source.slice(at, line.end);
      if (itemMarker(text) || opensWithin(text, depth)) return false;
    }
    return !isTableStart(this.source, line, lines[next + 1]);
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
    return {
      kind: 'heading',
      level,
      children: this.inlines([trimmed(this.source, { start, end: closing })], this.isOpenAt(end)),
    };
  }

  #quote(rest: Rest): Block {
    const lines: Line[] = [];
    for (; rest.next < rest.lines.length; rest.next += 1) {
      const line = rest.lines[rest.next];
      if (!line) break;
      const { at, column, columns } = indentOf(this.source, line);
      if (columns >= CODE_INDENT || this.source[at] !== '>' || at >= line.end || line.isLazy) break;
      this.mark('quote', at, at + 1);
      lines.push(withoutIndent(this.source, lineFrom(at + 1, line.end, column + 1), 1));
    }
    return { kind: 'quote', blocks: this.lines(lines, rest.depth + 1).blocks };
  }

  #fencedCode(rest: Rest, open: { at: number; columns: number; fence: string; info: string }): Block {
    const { fence, info, columns } = open;
    const infoStart = open.at + fence.length;
    this.mark('fence', open.at, infoStart);
    if (this.#onMark)
      for (const { start, end, shown } of escapesIn(info))
        this.#onMark({
          kind: shown === undefined ? 'escape' : 'entity',
          start: infoStart + start,
          end: infoStart + end,
          shown,
        });
    rest.next += 1;
    const parts: string[] = [];
    let isClosed = false;
    while (rest.next < rest.lines.length) {
      const line = rest.lines[rest.next];
      if (!line || line.isLazy) break;
      rest.next += 1;
      const { at, columns: indent } = indentOf(this.source, line);
      const text = this.source.slice(at, line.end).trimEnd();
      if (indent < CODE_INDENT && text.startsWith(fence) && text === fence.charAt(0).repeat(text.length)) {
        this.mark('fence', at, line.end);
        isClosed = true;
        break;
      }
      this.#onCode?.(line);
      parts.push(codeOf(this.source, withoutIndent(this.source, line, columns)));
    }
    if (!isClosed && rest.depth === 0) this.#onOpenFence?.(fence);
    return { kind: 'code', info: unescaped(info.trim()), text: parts.join('\n') };
  }

  #indentedCode(rest: Rest): Block {
    const parts: string[] = [];
    let length = 0;
    for (let at = rest.next; at < rest.lines.length; at += 1) {
      const line = rest.lines[at];
      if (!line || line.isLazy) break;
      const isEmpty = isBlank(this.source, line);
      if (!isEmpty && indentOf(this.source, line).columns < CODE_INDENT) break;
      this.#onCode?.(line);
      parts.push(codeOf(this.source, withoutIndent(this.source, line, CODE_INDENT)));
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
    if (line) rest.lines[rest.next] = lineFrom(after, line.end);
    return { kind: 'tag', name: tag.name, attributes: tag.attributes, blocks: inner };
  }
}

/** Whether a line within a paragraph begins with a mark of another block. */
function opensWithin(text: string, depth: number): boolean {
  if (fenceOf(text) || HEADING.test(text) || RULE.test(text) || footnoteOf(text)) return true;
  if (depth >= MAX_NESTED_BLOCKS) return false;
  if (text.startsWith('>')) return true;
  const marker = itemMarker(text);
  // `2024. That was a year` within a paragraph does not start a list.
  return marker !== undefined && text.length > marker.length && (marker.number === null || marker.number === 1);
}

function fenceOf(text: string): { fence: string; info: string } | undefined {
  const [, fence, info = ''] = FENCE.exec(text) ?? [];
  return fence === undefined || (fence.startsWith('`') && info.includes('`')) ? undefined : { fence, info };
}

const restOf = (lines: Line[], depth: number, hasTags: boolean): Rest => ({
  lines,
  next: 0,
  depth,
  hasTags,
  unclosed: new Map(),
  isAfterBlank: false,
  isSpaced: false,
});
