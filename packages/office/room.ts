/** Counts the characters that are still read of a file. */
export class Room {
  #left: number;

  constructor(characters: number) {
    this.#left = characters;
  }

  /** The text, or as much of it as there is room for. */
  take(text: string): string {
    const taken = text.slice(0, this.#left);
    this.#left -= taken.length;
    return taken === text ? text : taken.toWellFormed();
  }

  /** Every paragraph, cell and slide takes a little too: a file may have many that are empty. */
  count(): void {
    this.take(' ');
  }

  /** Reading stops then: the file has more, or just enough. */
  get isFull(): boolean {
    return this.#left === 0;
  }
}
