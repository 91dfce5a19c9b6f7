import { numberLabel } from './number-labels.ts';
import type { ListPlace } from './tree.ts';
import { type Look, levelOf, valueOf } from './word-styles.ts';
import { attribute, child, childrenOf, type Element, eachElement } from './xml.ts';
import type { Zip } from './zip.ts';

/** Maximum characters of the text around the numbers of a level: every item of a list repeats it. */
const MAX_TEXT = 100;

interface Level {
  /** The format of the level's own number, by its name in WordprocessingML. */
  readonly format: string;
  /** The label, with `%1` for the number of the first level. */
  readonly text: string;
  readonly start: number;
  /** Whether the numbers of the levels around it are shown in digits. */
  readonly isLegal: boolean;
  /** The style whose paragraphs are on this level. */
  readonly style: string | undefined;
}

/** Levels that several lists may share, and with them their numbers. */
interface Definition {
  readonly id: string;
  readonly levels: ReadonlyMap<number, Level>;
  /** The style whose list has the levels. */
  readonly link: string | undefined;
}

interface List {
  readonly definition: string;
  readonly starts: ReadonlyMap<number, number>;
  readonly levels: ReadonlyMap<number, Level>;
}

/** The lists of a Word document. Counts the items of each list as its paragraphs are read. */
export class WordLists {
  readonly #definitions = new Map<string, Definition>();
  readonly #lists = new Map<string, List>();
  readonly #styles: ReadonlyMap<string, Look>;
  /** The last number of each level, by definition. */
  readonly #numbers = new Map<string, number[]>();
  readonly #begun = new Set<string>();

  constructor(styles: ReadonlyMap<string, Look>) {
    this.#styles = styles;
  }

  /** Reads the definitions in a part of the file. */
  async load(zip: Zip, entry: string): Promise<void> {
    await eachElement(zip.text(entry), new Set(['abstractNum', 'num']), (element) => {
      if (element.name === 'abstractNum') this.#define(element);
      else this.#list(element);
      return this.#definitions.size + this.#lists.size < 20_000;
    });
  }

  #define(element: Element): void {
    const id = attribute(element, 'abstractNumId') ?? '';
    this.#definitions.set(id, { id, levels: levelsIn(element), link: valueOf(element, 'numStyleLink') });
  }

  #list(element: Element): void {
    const overrides = childrenOf(element).filter(({ name }) => name === 'lvlOverride');
    const starts = overrides.flatMap((override): [number, number][] => {
      const start = valueOf(override, 'startOverride');
      return start === undefined ? [] : [[levelOf(attribute(override, 'ilvl')), Number(start) || 0]];
    });
    this.#lists.set(attribute(element, 'numId') ?? '', {
      definition: valueOf(element, 'abstractNumId') ?? '',
      starts: new Map(starts),
      levels: new Map(overrides.flatMap((override) => [...levelsIn(override)])),
    });
  }

  /** The definition of a list, which may be that of a style's list. */
  #definitionOf(list: List | undefined): Definition | undefined {
    const definition = this.#definitions.get(list?.definition ?? '');
    if (definition?.link === undefined) return definition;
    const linked = this.#lists.get(this.#styles.get(definition.link)?.list?.id ?? '');
    return this.#definitions.get(linked?.definition ?? '') ?? definition;
  }

  /**
   * The place of the next paragraph of a list. Undefined for list 0, which no file defines: it takes a paragraph out of
   * the list of its style. `style` is the paragraph's, which may decide the level.
   */
  next({ id, level: own }: NonNullable<Look['list']>, style: string | undefined): ListPlace | undefined {
    const list = this.#lists.get(id);
    const definition = this.#definitionOf(list);
    if (!list || !definition) return undefined;
    const ofStyle = [...definition.levels].find(([, level]) => style !== undefined && level.style === style)?.[0];
    const level = ofStyle ?? own;
    const levelAt = (at: number): Level | undefined => list.levels.get(at) ?? definition.levels.get(at);
    const before = this.#numbers.get(definition.id) ?? [];
    const isNew = !this.#begun.has(`${id} ${level}`);
    this.#begun.add(`${id} ${level}`);
    const restart = isNew ? list.starts.get(level) : undefined;
    const last = before[level];
    const number = restart ?? (last === undefined ? (levelAt(level)?.start ?? 1) : last + 1);
    // A new item begins the numbers of deeper levels again.
    const numbers = Array.from({ length: level }, (_, at) => before[at] ?? levelAt(at)?.start ?? 1);
    this.#numbers.set(definition.id, [...numbers, number]);
    return placeOf(level, [...numbers, number], levelAt);
  }
}

function levelsIn(element: Element): Map<number, Level> {
  const levels = childrenOf(element).filter(({ name }) => name === 'lvl');
  return new Map(
    levels.map((level) => [
      levelOf(attribute(level, 'ilvl')),
      {
        format: valueOf(level, 'numFmt') ?? 'decimal',
        text: (valueOf(level, 'lvlText') ?? `%${levelOf(attribute(level, 'ilvl')) + 1}.`).slice(0, MAX_TEXT),
        start: Number(valueOf(level, 'start') ?? 1) || 0,
        isLegal: child(level, 'isLgl') !== undefined,
        style: valueOf(level, 'pStyle'),
      },
    ]),
  );
}

function placeOf(level: number, numbers: readonly number[], levelAt: (at: number) => Level | undefined): ListPlace {
  const own = levelAt(level);
  if (!own || own.format === 'bullet' || own.format === 'none') return { level };
  const label = own.text.replaceAll(/%([1-9])/g, (_, place: string) => {
    const at = Number(place) - 1;
    const format = own.isLegal ? 'decimal' : (levelAt(at)?.format ?? 'decimal');
    return numberLabel(numbers[at] ?? 1, format);
  });
  const number = numbers[level] ?? 1;
  if (label.trim() === '') return { level };
  return label === `${number}.` ? { level, number } : { level, label: label.trim() };
}
