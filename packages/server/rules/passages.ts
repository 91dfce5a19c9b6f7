// Texts in passages of about the size of a paragraph, each with the place at which it stands.

/** Where a passage stands. */
export interface Place {
  /** From 1. */
  page?: number;
  /** The headings above it, outermost first, in one line. */
  heading?: string;
}

export interface Passage extends Place {
  text: string;
}

/** A piece of a text below one heading, or on one page. */
export interface Section extends Place {
  text: string;
}

/** Separates the pages of a text. */
export const PAGE_END = '\f';
/** Characters of a passage, at most, and from which on it ends where a paragraph does. */
const MOST = 1_200;
const ENOUGH = 500;
/** Headings are shown in replies: control characters and those that change the direction of text would reach beside them. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu;
/** Maximum characters of the headings of a passage. */
const HEADING = 120;

/** The pages of a text, numbered from 1. */
export const pagesIn = (text: string): Section[] =>
  text.split(PAGE_END).map((page, at) => ({ page: at + 1, text: page }));

/** The sections of a text in Markdown, by its headings of the form `# …`, outside fences. */
export function* sectionsIn(text: string): Generator<Section> {
  const above: string[] = [];
  let lines: string[] = [];
  let fence = '';
  const section = (): Section => ({ ...headingOf(above), text: lines.join('\n') });
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (mark !== '' && fence === '') fence = mark;
    else if (fence !== '' && mark.startsWith(fence)) fence = '';
    const heading = fence === '' ? /^(#{1,6})[ \t]+(\S.*)$/.exec(line) : null;
    if (!heading) {
      lines.push(line);
      continue;
    }
    yield section();
    const [, signs = '', title = ''] = heading;
    setHeading(above, signs.length, title.replace(/(?<!#)#+[ \t]*$/, ''));
    lines = [];
  }
  yield section();
}

/** Replaces the heading of a level, from 1, and drops those below it. */
export function setHeading(above: string[], level: number, title: string): void {
  above.length = Math.min(above.length, level - 1);
  while (above.length < level - 1) above.push('');
  above.push(title.replaceAll(UNSEEN, ' ').trim());
}

/** The headings above a place as one line; the innermost ones if they are too long. */
export function headingOf(above: readonly string[]): Pick<Place, 'heading'> {
  const titles = above.filter((title) => title !== '');
  while (titles.length > 1 && titles.join(' › ').length > HEADING) titles.shift();
  const heading = titles.join(' › ').slice(0, HEADING).toWellFormed().trim();
  return heading === '' ? {} : { heading };
}

/** The passages of sections, in their order; none is blank. */
export function passagesOf(sections: Iterable<Section>): Passage[] {
  const passages: Passage[] = [];
  for (const { text, ...place } of sections)
    for (const piece of piecesOf(text)) passages.push({ ...place, text: piece });
  return passages;
}

function* piecesOf(given: string): Generator<string> {
  const text = given.replaceAll('\0', '\ufffd').toWellFormed();
  for (let start = 0; start < text.length;) {
    const end = start + lengthOf(text.slice(start, start + MOST), start + MOST >= text.length);
    const piece = text
      .slice(start, end)
      .replaceAll(/(?<![ \t])[ \t]+/g, ' ')
      .replaceAll(/(?<!\n)\n{3,}/g, '\n\n')
      .trim();
    if (piece !== '') yield piece.toWellFormed();
    start = end;
  }
}

/** Where a passage ends within the next characters: after a paragraph, a line, a sentence or a word. */
function lengthOf(next: string, isLast: boolean): number {
  if (isLast) return next.length;
  for (const end of ['\n\n', '\n', '. ', '。', ' ']) {
    const at = next.lastIndexOf(end);
    if (at >= ENOUGH) return at + end.length;
  }
  const last = next.charCodeAt(next.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? next.length - 1 : next.length;
}
