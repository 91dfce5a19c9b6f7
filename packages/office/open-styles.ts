import type { Span } from './tree.ts';
import { attribute, child, childrenOf, type Element, eachElement } from './xml.ts';
import type { Zip } from './zip.ts';

export type Format = Omit<Span, 'text'> & { readonly isHidden?: boolean };

/** How a level of a list shows its numbers. */
interface ListLevel {
  /** Its name in WordprocessingML. */
  readonly format: string;
  readonly prefix: string;
  readonly suffix: string;
  /** How many levels the number shows. */
  readonly shown: number;
  readonly start: number;
}

/** The levels of a list that have numbers. */
export type ListLevels = ReadonlyMap<number, ListLevel>;

/** What the styles of an OpenDocument file say of texts, lists and sheets, by the styles' names. */
export interface Styles {
  readonly formats: ReadonlyMap<string, Format>;
  readonly lists: ReadonlyMap<string, ListLevels>;
  /** The list of a paragraph style. */
  readonly listOf: ReadonlyMap<string, string>;
  /** The styles of sheets that are hidden. */
  readonly hidden: ReadonlySet<string>;
  /** The numbers of headings. */
  readonly outline: ListLevels;
  /** The kind of page that a paragraph or a table of a style begins. */
  readonly pageOf: ReadonlyMap<string, string>;
  /** The kinds of pages, each with the one of the page after it. */
  readonly pages: ReadonlyMap<string, string>;
}

const MAX_STYLES = 10_000;
/** Maximum characters around a number: every item of a list repeats them. */
const MAX_TEXT = 100;

/** Reads the styles of both entries. Stops at the body of the second: unpacking it here would use up the limit. */
export async function stylesOf(zip: Zip, folder: string): Promise<Styles> {
  const formats = new Map<string, Format>();
  const lists = new Map<string, ListLevels>();
  const listOf = new Map<string, string>();
  const hidden = new Set<string>();
  const pageOf = new Map<string, string>();
  const pages = new Map<string, string>();
  let outline: ListLevels = new Map();
  const add = (element: Element): boolean => {
    const name = attribute(element, 'name') ?? '';
    if (element.name === 'style') {
      formats.set(name, { ...formats.get(attribute(element, 'parent-style-name') ?? ''), ...formatOf(element) });
      const list = attribute(element, 'list-style-name');
      if (list !== undefined) listOf.set(name, list);
      const page = attribute(element, 'master-page-name') ?? pageOf.get(attribute(element, 'parent-style-name') ?? '');
      if (page !== undefined) pageOf.set(name, page);
      const table = child(element, 'table-properties');
      if (table && attribute(table, 'display') === 'false') hidden.add(name);
    } else if (element.name === 'outline-style') outline = levelsOf(element);
    else if (element.name === 'master-page') pages.set(name, attribute(element, 'next-style-name') ?? '');
    else lists.set(name, levelsOf(element));
    return formats.size + lists.size + pages.size < MAX_STYLES;
  };
  const names = new Set(['style', 'list-style', 'outline-style', 'master-page']);
  for (const entry of ['styles.xml', 'content.xml'].map((name) => folder + name).filter((name) => zip.has(name)))
    await eachElement(zip.text(entry), names, add, 'body');
  return { formats, lists, listOf, hidden, outline, pageOf, pages };
}

function formatOf(style: Element): Format {
  const looks = child(style, 'text-properties');
  if (!looks) return {};
  const display = attribute(looks, 'display');
  return {
    ...(attribute(looks, 'font-weight') === 'bold' ? { isBold: true } : {}),
    ...(attribute(looks, 'font-style') === 'italic' ? { isItalic: true } : {}),
    ...(display === undefined ? {} : { isHidden: display === 'none' }),
  };
}

const formatNames: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
  '1': 'decimal',
};

function levelsOf(element: Element): ListLevels {
  const levels = childrenOf(element).filter(({ name }) =>
    /^(?:list-level-style-number|outline-level-style)$/.test(name),
  );
  return new Map(
    levels.flatMap((level): [number, ListLevel][] => {
      const format = attribute(level, 'num-format') ?? '1';
      // Without a format the number is not shown.
      if (format === '') return [];
      const around = (name: string): string => (attribute(level, name) ?? '').slice(0, MAX_TEXT);
      return [
        [
          Number(attribute(level, 'level')) - 1,
          {
            format: formatNames[format] ?? format,
            prefix: around('num-prefix'),
            suffix: around('num-suffix'),
            shown: Number(attribute(level, 'display-levels')) || 1,
            start: Number(attribute(level, 'start-value') ?? 1) || 0,
          },
        ],
      ];
    }),
  );
}
