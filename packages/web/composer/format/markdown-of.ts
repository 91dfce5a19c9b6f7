import { type Edit, pasted, type Written } from './edit.ts';
import { firstIn, type HtmlElement, type HtmlNode, htmlTree, isBlock, styleOf, textOf, within } from './html-tree.ts';
import { asParagraph, type Look, lookOf, plain, ticksFor, type Words, written } from './rich-text.ts';

const SKIPPED = new Set(
  'button head iframe input noscript object script select style svg template textarea title'.split(' '),
);
/** Maximum number of columns that a cell may take. */
const MOST_COLUMNS = 50;

/** What pasted HTML is in Markdown; null if it has only plain words, and if it is too much. */
export function markdownOf(html: string): string | null {
  const tree = htmlTree(html);
  if (!tree) return null;
  const reader = new Reader();
  const text = reader.blocks(tree, plain, false).join('\n\n');
  return reader.isRich && text !== '' ? text : null;
}

/** Blocks get lines of their own; a single paragraph goes on in its line. */
export function pastedMarkdown(markdown: string, field: Written): Edit {
  const isOfBlocks = markdown.includes('\n') || /^(?:[-*>|]|#{1,6}|\d{1,9}[.)])\s/.test(markdown);
  const before = field.text.slice(0, field.start);
  const after = field.text.slice(field.end);
  /** The line ends that are missing beside it. */
  const gap = (beside: string, there = ''): string =>
    isOfBlocks && beside.trim() !== '' ? '\n\n'.slice(there.length) : '';
  const [ends] = /(?<!\n)\n{1,2}$/.exec(before) ?? [];
  const [begins] = /^\n{1,2}/.exec(after) ?? [];
  return pasted(gap(before, ends) + markdown + gap(after, begins), field);
}

class Reader {
  /** Something in it is more than plain words. */
  isRich = false;

  /** The blocks in an element. `isKept`: spaces and line ends are as they are written. */
  blocks(parent: HtmlElement, look: Look, isKept: boolean): string[] {
    const blocks: string[] = [];
    let words: Words[] = [];
    const endParagraph = () => {
      const text = this.#paragraph(words);
      if (text !== '') blocks.push(asParagraph(text));
      words = [];
    };
    for (const child of parent.children) {
      if (typeof child === 'string' || !(isBlock(child) || child.holdsBlock))
        words.push(...this.#words(child, look, isKept));
      else if (!isHidden(child)) {
        endParagraph();
        const item = itemOfWord(child);
        const added = item ? [this.#itemOfWord(child, item, look)] : this.#block(child, look, isKept);
        const last = blocks.at(-1);
        // Items that Word writes as paragraphs follow each other without blank lines.
        if (item && last !== undefined && isList(last)) blocks[blocks.length - 1] = `${last}\n${added.join('')}`;
        else blocks.push(...added);
      }
    }
    endParagraph();
    return blocks;
  }

  #block(element: HtmlElement, look: Look, isKept: boolean): string[] {
    const level = levelOf(element);
    if (level !== null) return this.#heading(element, level);
    // A footnote of the app's messages.
    if (element.attributes.get('role') === 'note') return [this.#paragraph(this.#inside(element, look, isKept))];
    switch (element.tag) {
      case 'ul':
      case 'ol':
        return this.#rich(this.#list(element, look));
      case 'blockquote':
        return this.#rich(quoted(this.blocks(element, look, isKept).join('\n\n')));
      case 'pre':
        return this.#code(element, '');
      case 'figure':
        return this.#figure(element, look, isKept);
      case 'table':
        return this.#table(element, look);
      case 'hr':
        return this.#rich('---');
      default:
        return this.blocks(element, lookOf(element, look), isKept || keepsSpaces(element));
    }
  }

  #rich(block: string): string[] {
    if (block !== '') this.isRich = true;
    return block === '' ? [] : [block];
  }

  #heading(element: HtmlElement, level: number): string[] {
    const words = this.#inside(element, plain, false).map((one) => ({ ...one, bold: false }));
    const text = this.#paragraph(words).replaceAll('\n', ' ');
    return text === '' ? [] : this.#rich(`${'#'.repeat(level)} ${text}`);
  }

  #code(element: HtmlElement, info: string): string[] {
    const text = codeIn(element).replace(/^\n/, '').trimEnd();
    if (text.trim() === '') return [];
    const classes = [element, firstIn(element, 'code')].map((one) => one?.attributes.get('class') ?? '').join(' ');
    const [, named = ''] = /(?:^|\s)(?:language|lang)-([\w+#-]+)/.exec(classes) ?? [];
    const ticks = ticksFor(text, 3);
    return this.#rich(`${ticks}${info || named}\n${text}\n${ticks}`);
  }

  /** Code and tables of the app's own messages have their buttons, and code its language, in a caption. */
  #figure(element: HtmlElement, look: Look, isKept: boolean): string[] {
    const caption = firstIn(element, 'figcaption');
    const held = firstIn(element, 'pre', 'table');
    if (!held || !caption) return this.blocks(element, look, isKept);
    if (held.tag === 'table') return this.#table(held, look);
    const name = firstIn(caption, 'span');
    const info = name ? textOf(name).trim() : '';
    return this.#code(held, info === 'code' ? '' : info);
  }

  #list(list: HtmlElement, look: Look): string {
    let number = list.tag === 'ol' ? Number(/^\d{1,9}$/.exec(list.attributes.get('start') ?? '1')?.[0] ?? 1) : null;
    const items: string[] = [];
    for (const child of list.children) {
      if (typeof child === 'string' || isHidden(child)) continue;
      // Google Docs puts lists into lists.
      if (child.tag === 'ul' || child.tag === 'ol') items.push(indented(this.#list(child, look), 2, true));
      else {
        const mark = number === null ? '- ' : `${number}. `;
        if (number !== null) number += 1;
        items.push(mark + boxOf(child) + indented(this.#item(child, look), mark.length));
      }
    }
    return items.filter((item) => item.trim() !== '').join('\n');
  }

  /** A list in an item follows its words without a blank line. */
  #item(item: HtmlElement, look: Look): string {
    const blocks = this.blocks(item, lookOf(item, look), keepsSpaces(item));
    return blocks.reduce((all, block) => all + (all === '' ? '' : isList(block) ? '\n' : '\n\n') + block, '');
  }

  #itemOfWord(element: HtmlElement, { level, marker }: WordItem, look: Look): string {
    this.isRich = true;
    const words = this.#paragraph(this.#inside(element, lookOf(element, look), false));
    return indented(`${marker} ${words}`, 2 * (level - 1), true);
  }

  #table(table: HtmlElement, look: Look): string[] {
    const rows = rowsOf(table);
    const columns = Math.max(0, ...rows.map(({ length }) => length));
    // Mails are laid out with tables.
    if (columns < 2 || firstIn(table, 'table', 'ul', 'ol', 'pre', 'blockquote'))
      return rows.flatMap((row) => row.flatMap((cell) => this.blocks(cell, lookOf(cell, look), false)));
    const cells = rows.map((row) => row.flatMap((cell) => this.#cell(cell, look)));
    const width = Math.min(MOST_COLUMNS, Math.max(...cells.map(({ length }) => length)));
    const lineOf = (row: readonly string[]) =>
      `| ${Array.from({ length: width }, (_, at) => row[at] ?? '').join(' | ')} |`;
    const [head = [], ...others] = cells;
    return this.#rich([lineOf(head), `|${' --- |'.repeat(width)}`, ...others.map(lineOf)].join('\n'));
  }

  #cell(cell: HtmlElement, look: Look): string[] {
    const words = this.#inside(cell, lookOf(cell, look), false);
    const text = this.#paragraph(cell.tag === 'th' ? words.map((one) => ({ ...one, bold: false })) : words);
    const more = Math.min(MOST_COLUMNS, Number(cell.attributes.get('colspan') ?? 1)) - 1;
    const empty = Array.from({ length: Math.max(0, more || 0) }, () => '');
    const line = text.split('\n').filter(Boolean).join(' ');
    return [line.replaceAll('|', '\\|'), ...empty];
  }

  /** Words in one paragraph, without spaces at the ends of its lines. */
  #paragraph(words: readonly Words[]): string {
    if (words.some(isMarked)) this.isRich = true;
    const text = written(oneSpace(words));
    return text
      .split('\n')
      .map((line) => line.trim())
      .join('\n')
      .trim();
  }

  #inside(element: HtmlElement, look: Look, isKept: boolean): Words[] {
    return element.children.flatMap((child) => this.#words(child, look, isKept));
  }

  #words(node: HtmlNode, look: Look, isKept: boolean): Words[] {
    if (typeof node === 'string') {
      const text = node.replaceAll('\u00a0', ' ');
      return [{ ...look, text: isKept ? text : text.replaceAll(/[ \t\r\n\f]+/g, ' '), isKept }];
    }
    const raw = rawOf(node);
    if (raw !== null) return [{ ...look, text: raw, isRaw: true }];
    if (isHidden(node)) return [];
    if (node.tag === 'br') return [{ ...look, text: '\n' }];
    if (node.tag === 'img') return [{ ...look, text: node.attributes.get('alt') ?? '' }];
    const inner = this.#inside(node, lookOf(node, look), isKept || keepsSpaces(node));
    // Within a cell or a heading a block is only a new line.
    return isBlock(node) ? [...inner, { ...plain, text: '\n' }] : inner;
  }
}

const isMarked = ({ text, link, bold, italic, strike, code }: Words): boolean =>
  text.trim() !== '' && (bold || italic || strike || code || (link !== '' && link !== text.trim()));

/** Of spaces that meet at the end of an element only one is shown. */
function oneSpace(words: readonly Words[]): Words[] {
  let isSpace = true;
  return words.map((one) => {
    const text = isSpace && !one.isKept && !one.isRaw ? one.text.replace(/^ /, '') : one.text;
    if (text !== '') isSpace = /[ \n]$/.test(text);
    return { ...one, text };
  });
}

const isList = (block: string): boolean => /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(block);

const quoted = (text: string): string => (text === '' ? '' : text.replaceAll(/^(?=.)/gm, '> ').replaceAll(/^$/gm, '>'));

/** Indents all lines but the first one, or all. */
function indented(text: string, columns: number, isWhole = false): string {
  const space = ' '.repeat(columns);
  return (isWhole ? space : '') + text.replaceAll(/\n(?=[^\n])/g, `\n${space}`);
}

function rowsOf(table: HtmlElement): HtmlElement[][] {
  const rows: HtmlElement[][] = [];
  for (const child of table.children)
    if (typeof child !== 'string') {
      const cells = child.children.filter(
        (one): one is HtmlElement => typeof one !== 'string' && /^t[dh]$/.test(one.tag),
      );
      if (child.tag === 'tr' && cells.length > 0) rows.push(cells);
      else if (/^t(?:head|body|foot)$/.test(child.tag)) rows.push(...rowsOf(child));
    }
  return rows;
}

/** The box of a task at the beginning of an item. */
function boxOf(item: HtmlElement): string {
  const box = firstIn(item, 'input', 'ul', 'ol');
  if (box?.tag !== 'input' || box.attributes.get('type') !== 'checkbox') return '';
  return box.attributes.has('checked') ? '[x] ' : '[ ] ';
}

interface WordItem {
  readonly level: number;
  readonly marker: string;
}

/** An item of a list as Word writes it: a paragraph with a hidden marker. */
function itemOfWord(element: HtmlElement): WordItem | null {
  const list = styleOf(element)
    .split(';')
    .find((style) => style.trimStart().startsWith('mso-list:'));
  const [, level] = /\blevel(\d)/.exec(list ?? '') ?? [];
  if (level === undefined) return null;
  const marker = [...within(element)].find(isMarkerOfWord);
  const [digits] = /\d{1,9}/.exec(marker ? textOf(marker) : '') ?? [];
  return { level: Number(level), marker: digits === undefined ? '-' : `${digits}.` };
}

const isMarkerOfWord = (element: HtmlElement): boolean => /mso-list:\s*ignore/i.test(styleOf(element));

/** Headings; those of the app's messages say how they were written, because they are not headings of the page. */
function levelOf({ tag, attributes }: HtmlElement): number | null {
  const [, digit] = /^h([1-6])$/.exec(tag) ?? [];
  if (digit !== undefined) return Number(digit);
  if (attributes.get('role') !== 'heading') return null;
  const level = Number(attributes.get('data-level') ?? attributes.get('aria-level') ?? 2);
  return Math.min(6, Math.max(1, level || 1));
}

const keepsSpaces = (element: HtmlElement): boolean =>
  /white-space(?:-collapse)?:\s*(?:pre|break-spaces)/.test(styleOf(element));

/** What the app's messages hold as it was written: mentions, formulas, marks of footnotes. Formulas of other pages too. */
function rawOf({ tag, attributes, ...element }: HtmlElement): string | null {
  const text = (): string => element.children.map(textOf).join('');
  if (attributes.has('data-name')) return text();
  const mark = attributes.get('data-footnote-mark');
  if (mark !== undefined) return `[^${mark}]`;
  const footnote = attributes.get('data-footnote');
  if (footnote !== undefined) return `[^${footnote}]: `;
  if (tag === 'span' && attributes.has('aria-hidden') && attributes.get('dir') === 'ltr') return text();
  return null;
}

/** What shows nothing, buttons, and what the app draws beside the text of a formula. */
const isHidden = (element: HtmlElement): boolean =>
  (SKIPPED.has(element.tag) && rawOf(element) === null) ||
  element.attributes.has('hidden') ||
  element.attributes.has('data-aside') ||
  /(?:^|\s)katex(?:-display)?(?:\s|$)/.test(element.attributes.get('class') ?? '') ||
  isMarkerOfWord(element) ||
  /display:\s*none/.test(styleOf(element));

/** The text of code, whose lines may be elements. */
function codeIn(node: HtmlNode): string {
  if (typeof node === 'string') return node.replaceAll('\u00a0', ' ');
  if (isHidden(node)) return '';
  if (node.tag === 'br') return '\n';
  const inner = node.children.map(codeIn).join('');
  return node.tag !== 'pre' && isBlock(node) && !inner.endsWith('\n') ? `${inner}\n` : inner;
}
