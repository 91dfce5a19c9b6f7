/** Finds where code spans end. What has no end is known before it is searched for, which keeps the whole linear. */
export class CodeSpans {
  readonly #text: string;
  readonly #end: number;
  /** By length, where the last run of backticks begins. */
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

  /** How many backticks stand there. */
  runAt(start: number): number {
    let at = start;
    while (at < this.#end && this.#text[at] === '`') at += 1;
    return at - start;
  }

  /** Where the span closes that opens with the run at `start`: the place of its closing run. */
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
