/** Counts down the characters that a reader may still take from a file. */
export class Room {
  #left: number;

  constructor(characters: number) {
    this.#left = characters;
  }

  /** Returns the text, cut where the room ends. */
  take(text: string): string {
    const taken = text.slice(0, this.#left);
    this.#left -= taken.length;
    return taken === text ? text : taken.toWellFormed();
  }

  /** Takes one character for a paragraph, row, cell or slide: a file may have millions of empty ones. */
  count(): void {
    this.take(' ');
  }

  /** Takes one character for each of a row's cells without a text: a row may have 16,000 of them before its first one. */
  skip(cells: number): void {
    this.#left = Math.max(0, this.#left - cells);
  }

  /** Whether the reader must stop. The file may end just here, which the reader does not check. */
  get isFull(): boolean {
    return this.#left === 0;
  }
}
