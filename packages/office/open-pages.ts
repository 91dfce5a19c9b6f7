import type { Styles } from './open-styles.ts';
import { attribute, type Element, type Tag } from './xml.ts';

/** The kind of pages of an OpenDocument text whose first paragraph says none. */
const DEFAULT = 'Standard';

/** Finds the kinds of pages, with their headers and footers, that a text has. */
export class OpenPages {
  readonly #styles: Styles;
  readonly #begun = new Set<string>();
  #isFirst = true;

  constructor(styles: Styles) {
    this.#styles = styles;
  }

  /** Takes note of the page that a paragraph, or the table around a row, begins. */
  add(element: Element, around: readonly Tag[]): void {
    const block = around.find(({ name }) => name === 'table') ?? element;
    const page = this.#styles.pageOf.get(attribute(block, 'style-name') ?? '') ?? '';
    if (page !== '') this.#begun.add(page);
    else if (this.#isFirst) this.#begun.add(this.#default);
    this.#isFirst = false;
  }

  get #default(): string {
    const { pages } = this.#styles;
    return pages.has(DEFAULT) ? DEFAULT : ([...pages.keys()][0] ?? DEFAULT);
  }

  /** The names of the kinds that pages begin with, and of those that follow them. */
  used(): ReadonlySet<string> {
    const used = new Set<string>(this.#isFirst ? [this.#default] : this.#begun);
    // What is added meanwhile is visited too.
    for (const page of used) {
      const next = this.#styles.pages.get(page) ?? '';
      if (next !== '') used.add(next);
    }
    return used;
  }
}
