/** A first-in, first-out queue. Unlike `shift` of a long array, `drop` does not move all that remains. */
export class Fifo<Item> {
  #items: Item[] = [];
  #head = 0;

  /** The item that has waited longest. */
  get first(): Item | undefined {
    return this.#items[this.#head];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** Removes the first item. */
  drop(): void {
    if (this.#head === this.#items.length) return;
    this.#head += 1;
    // Moves at most as many items as were dropped since the last time.
    if (this.#head * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#head);
    this.#head = 0;
  }
}
