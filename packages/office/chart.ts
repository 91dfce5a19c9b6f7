import { shapesIn } from './drawing.ts';
import { formatNumber, formatOf } from './number-format.ts';
import type { Reading } from './parts.ts';
import type { Room } from './room.ts';
import { Tables } from './tables.ts';
import type { Block, Span } from './tree.ts';
import { attribute, child, childrenOf, type Element, elementsIn, eachElement, textIn } from './xml.ts';

/** One row of data of a chart: its name, and its texts and numbers by their index. */
interface Series {
  readonly name: string;
  readonly categories: ReadonlyMap<number, string>;
  readonly values: readonly ReadonlyMap<number, string>[];
}

/** Elements with the data of a series, in the order in which they are shown. */
const ofCategories = ['cat', 'xVal'];
const ofValues = ['val', 'yVal', 'bubbleSize'];

/** The titles of a chart, and its data as tables. */
export async function readChart(
  target: string,
  { zip, room, bounds }: Reading,
): Promise<{ blocks: Block[]; isCut: boolean }> {
  const titles: Block[] = [];
  const all: Series[] = [];
  const others: Block[] = [];
  const names = new Set(['title', 'ser', 'data', 'series', 'dLbls', 'txPr']);
  const { isCut } = await eachElement(zip.text(target), names, (element) => {
    room.count();
    if (element.name === 'title') titles.push(...shapesIn(element, room, new Map()), ...cachedIn(element, room));
    else if (element.name === 'ser') all.push(seriesOf(element, room));
    else if (element.name === 'data') others.push(...dataOf(element, room));
    else if (element.name === 'series') titles.push(...wordsOf(elementsIn(element, 'v'), room));
    return !room.isFull;
  });
  const tables = new Tables(bounds);
  const blocks = [...titles, ...tablesOf(all, tables, room), ...others];
  return { blocks, isCut: isCut || tables.isCut };
}

/** The text of a title that comes from a cell. */
const cachedIn = (title: Element, room: Room): Block[] =>
  wordsOf(
    elementsIn(title, 'strCache').flatMap((cache) => elementsIn(cache, 'v')),
    room,
  );

const wordsOf = (elements: readonly Element[], room: Room): Block[] =>
  elements.flatMap((element): Block[] => {
    const text = room.take(textIn(element));
    return text.trim() === '' ? [] : [{ type: 'paragraph', spans: [{ text }] }];
  });

function seriesOf(element: Element, room: Room): Series {
  const inside = (names: readonly string[]) => childrenOf(element).filter(({ name }) => names.includes(name));
  const [categories] = inside(ofCategories);
  const tx = child(element, 'tx');
  const name = tx
    ? elementsIn(tx, 'v')
        .map((value) => textIn(value))
        .join(' ')
    : '';
  return {
    name: room.take(name),
    categories: categories ? pointsOf(categories, room) : new Map(),
    values: inside(ofValues).map((values) => pointsOf(values, room)),
  };
}

/** The texts of a cache by the index of their points. Of categories on several levels each text joins those around it. */
function pointsOf(element: Element, room: Room): Map<number, string> {
  const points = new Map<number, string[]>();
  for (const cache of ['numCache', 'numLit', 'strCache', 'strLit', 'multiLvlStrCache'].flatMap((name) =>
    elementsIn(element, name),
  )) {
    const code = child(cache, 'formatCode');
    const format = code && formatOf(textIn(code));
    for (const point of elementsIn(cache, 'pt')) {
      if (room.isFull) break;
      room.count();
      const index = Number(attribute(point, 'idx')) || 0;
      const value = child(point, 'v');
      const text = value ? textIn(value) : '';
      const number = Number(text);
      const shown = format && text !== '' && Number.isFinite(number) ? formatNumber(number, format, false) : text;
      const before = points.get(index);
      if (before) before.push(room.take(shown));
      else points.set(index, [room.take(shown)]);
    }
  }
  return new Map([...points].map(([index, texts]) => [index, texts.join(' ')]));
}

/** A table for each set of categories, with a column for each series. */
function tablesOf(all: readonly Series[], tables: Tables, room: Room): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < all.length;) {
    const categories = all[at]?.categories ?? new Map<number, string>();
    let end = at + 1;
    while (end < all.length && isSame(all[end]?.categories, categories)) end += 1;
    const columns = all
      .slice(at, end)
      .flatMap(({ name, values }) => values.map((points, nth) => ({ name: nth === 0 ? name : '', points })));
    const indexes = new Set([...categories.keys(), ...columns.flatMap(({ points }) => [...points.keys()])]);
    const rows: Span[][][] = [];
    // Each cell takes room before its row is built: every series may have points that no other one has.
    const add = (first: string, textOf: (column: (typeof columns)[number]) => string): boolean => {
      room.skip(columns.length);
      return !room.isFull && tables.addTexts({ type: 'table', rows }, [first, ...columns.map(textOf)]);
    };
    if (columns.some(({ name }) => name !== '')) add('', ({ name }) => name);
    for (const index of [...indexes].toSorted((one, other) => one - other))
      if (!add(categories.get(index) ?? '', ({ points }) => points.get(index) ?? '')) break;
    if (rows.length > 0) blocks.push({ type: 'table', rows });
    at = end;
  }
  return blocks;
}

const isSame = (one: ReadonlyMap<number, string> | undefined, other: ReadonlyMap<number, string>): boolean =>
  one !== undefined &&
  (one.size === 0 || (one.size === other.size && [...one].every(([at, text]) => other.get(at) === text)));

/** The texts and numbers of a chart of the newer kind, such as a funnel or a map. */
function dataOf(element: Element, room: Room): Block[] {
  return childrenOf(element).flatMap((dimension) => wordsOf(elementsIn(dimension, 'pt'), room));
}
