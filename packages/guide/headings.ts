export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

/** The anchors of a page's headings, as GitHub makes them, so that a link works in the repository and on the site. */
export class Anchors {
  readonly #used = new Map<string, number>();

  add(text: string): string {
    const id = text
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    const before = this.#used.get(id) ?? 0;
    this.#used.set(id, before + 1);
    return before === 0 ? id : `${id}-${before}`;
  }
}
