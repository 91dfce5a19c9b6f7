// The text of a page as people read it, below its headings.
import { Tokenizer } from 'htmlparser2';
import { headingOf, type Section, setHeading } from './passages.ts';

/** Maximum UTF-16 units of the title. */
const TITLE = 200;

/** What nobody reads, or what stands on every page of a site. */
const unread: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'nav',
  'footer',
  'head',
]);
/** Elements that begin a line of their own. */
const blocks: ReadonlySet<string> = new Set(
  'address article aside blockquote br dd details div dl dt figcaption figure form h1 h2 h3 h4 h5 h6 header hr li main ol p pre section summary table tr ul'.split(
    ' ',
  ),
);
const HEADING = /^h([1-6])$/;

const none = (): void => {};

export interface PageSections {
  title: string | undefined;
  sections: Section[];
  /** The page has more text than was kept. */
  isCut: boolean;
}

/**
 * Reads a page up to so many characters of text. Tags are read one after another and only those in which nothing is read
 * are counted, so a page of tags that nest or close wrongly takes linear time too.
 */
export function sectionsOfPage(html: string, characters: number): PageSections {
  const sections: Section[] = [];
  const above: string[] = [];
  let [title, text, heading] = ['', '', ''];
  let level = 0;
  let left = characters;
  let isInTitle = false;
  let tag = '';
  const depths = new Map<string, number>();
  const nameAt = (start: number, end: number): string => html.slice(start, end).toLowerCase();
  const add = (more: string): void => {
    if (isInTitle) title += more.slice(0, Math.max(0, TITLE - title.length));
    if (isInTitle || depths.size > 0 || left <= 0) return;
    const kept = more.slice(0, left);
    left -= kept.length;
    if (level > 0) heading += kept;
    else text += kept;
  };
  const endSection = (): void => {
    if (text.trim() !== '') sections.push({ ...headingOf(above), text });
    text = '';
  };
  const endHeading = (): void => {
    if (level > 0 && heading.trim() !== '') {
      endSection();
      setHeading(above, level, heading);
    }
    level = 0;
    heading = '';
  };
  const open = (isSelfClosing: boolean): void => {
    if (tag === 'title') isInTitle = title === '';
    if (tag === 'body') depths.clear();
    if (unread.has(tag) && !isSelfClosing) depths.set(tag, (depths.get(tag) ?? 0) + 1);
    if (!blocks.has(tag)) return;
    const found = HEADING.exec(tag);
    if (found) {
      endHeading();
      level = Number(found[1]);
    } else if (level > 0 && tag !== 'br') endHeading();
    else add('\n');
  };
  const close = (name: string): void => {
    if (name === 'title') isInTitle = false;
    const depth = depths.get(name) ?? 0;
    if (depth > 1) depths.set(name, depth - 1);
    else depths.delete(name);
    if (HEADING.test(name)) endHeading();
    else if (name === 'td' || name === 'th') add(' ');
    else if (blocks.has(name)) add('\n');
  };
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      onopentagname: (start, end) => void (tag = nameAt(start, end)),
      onopentagend: () => open(false),
      onselfclosingtag: () => open(true),
      onclosetag: (start, end) => close(nameAt(start, end)),
      ontext: (start, end) => add(html.slice(start, end)),
      ontextentity: (code) => add(String.fromCodePoint(code)),
      onattribname: none,
      onattribdata: none,
      onattribentity: none,
      onattribend: none,
      oncdata: none,
      oncomment: none,
      ondeclaration: none,
      onend: none,
      onprocessinginstruction: none,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  endHeading();
  endSection();
  const named = title.replaceAll(/\s+/g, ' ').trim();
  return { title: named === '' ? undefined : named, sections: sections.map(withLines), isCut: left <= 0 };
}

/** Spaces in lines mean nothing in HTML. */
const withLines = ({ text, ...place }: Section): Section => ({
  ...place,
  text: text
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .join('\n')
    .replaceAll(/(?<!\n)\n{2,}/g, '\n\n')
    .trim(),
});
