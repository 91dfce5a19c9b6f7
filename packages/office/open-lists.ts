import { labelOf, numberLabel } from './number-labels.ts';
import type { ListLevels, Styles } from './open-styles.ts';
import type { ListPlace } from './tree.ts';
import { attribute, type Element, type Tag } from './xml.ts';

const MAX_LEVEL = 8;

/** Counts the items of the lists, and the headings, of an OpenDocument text. */
export class OpenLists {
  readonly #styles: Styles;
  /** The last item of each list, and its number. */
  readonly #numbers = new WeakMap<Tag, { item: Tag | undefined; number: number }>();
  /** The last number of each level of a list style, which another list may continue. */
  readonly #last = new Map<string, number>();
  #headings: number[] = [];

  constructor(styles: Styles) {
    this.#styles = styles;
  }

  /** The place of a paragraph; undefined if no list is around it. */
  placeOf(element: Element, around: readonly Tag[]): ListPlace | undefined {
    const lists = around.filter(({ name }) => name === 'list');
    const list = lists.at(-1);
    if (!list) return undefined;
    const level = Math.min(MAX_LEVEL, lists.length - 1);
    const ofParagraph = this.#styles.listOf.get(attribute(element, 'style-name') ?? '');
    const style =
      lists.map((other) => attribute(other, 'style-name')).findLast((name) => name !== undefined) ?? ofParagraph;
    const levels = this.#styles.lists.get(style ?? '');
    const own = levels?.get(level);
    const item = around.findLast(({ name }) => name === 'list-item' || name === 'list-header');
    if (!levels || !own || item?.name === 'list-header') return { level };
    const before = this.#numbers.get(list);
    const key = `${style} ${level}`;
    const continues =
      attribute(list, 'continue-numbering') === 'true' || attribute(list, 'continue-list') !== undefined;
    const start = item && attribute(item, 'start-value');
    const first = (continues ? this.#last.get(key) : undefined) ?? own.start - 1;
    const isSame = before !== undefined && before.item === item;
    const next = start === undefined || isSame ? (before?.number ?? first) + (isSame ? 0 : 1) : Number(start) || 0;
    this.#numbers.set(list, { item, number: next });
    this.#last.set(key, next);
    // A second paragraph of an item has no number of its own.
    if (isSame) return { level };
    const numbers = lists.map((other, at) => (at === level ? next : (this.#numbers.get(other)?.number ?? 1)));
    return placed(level, numbers, levels);
  }

  /** The number of a heading as it is shown; empty if headings have none. */
  labelOf(level: number): string {
    this.#headings = [...this.#headings.slice(0, level), ...Array.from({ length: level + 1 }, () => 0)].slice(
      0,
      level + 1,
    );
    this.#headings[level] = (this.#headings[level] ?? 0) + 1;
    return this.#styles.outline.has(level) ? labelOf(placed(level, this.#headings, this.#styles.outline)) : '';
  }
}

function placed(level: number, numbers: readonly number[], levels: ListLevels): ListPlace {
  const own = levels.get(level);
  if (!own) return { level };
  const shown = numbers.slice(Math.max(0, level + 1 - own.shown), level + 1).map((number, at, { length }) => {
    const format = levels.get(level + 1 - length + at)?.format ?? 'decimal';
    return numberLabel(number, format);
  });
  const label = `${own.prefix}${shown.join('.')}${own.suffix}`.trim();
  const number = numbers[level] ?? 1;
  // A number without any sign behind it is shown with a point, like all numbers of lists.
  if (label === `${number}.` || label === String(number)) return { level, number };
  return label === '' ? { level } : { level, label };
}
