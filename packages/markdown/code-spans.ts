/** Finds the ends of code spans. An index of the last runs avoids searches without result and keeps parsing linear. */
export class CodeSpans {
  readonly #text: string;
  readonly #end: number;
  /** Start of the last run of backticks, by length. */
  readonly #last = new Map<number, number>();

  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.#end = end;
    for (let at = text.indexOf('`', start); at >= 0 && at < end;) {
      const length = this.runAt(at);
      this.#last.set(length, at);
      at = text.indexOf('`', at + length);
    }
  }

  /** The number of backticks at this position. */
  runAt(start: number): number {
    let at = start;
    while (at < this.#end && this.#text[at] === '`') at += 1;
    return at - start;
  }

  /** The position of the closing run for the span that opens at `start`. */
  closeOf(start: number, length: number): number | undefined {
    if ((this.#last.get(length) ?? start) <= start) return undefined;
    for (let at = this.#text.indexOf('`', start + length); at >= 0 && at < this.#end;) {
      const run = this.runAt(at);
      if (run === length) return at;
      at = this.#text.indexOf('`', at + run);
    }
    return undefined;
  }
}
