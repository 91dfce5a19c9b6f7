/** Maximum memory of all canvases that one page is drawn with. */
const MAX_BYTES = 268_435_456;

/** Counts the memory of canvases, so that a hostile page fails before the browser does. */
export class CanvasMemory {
  readonly #bytes = new Map<object, number>();
  #total = 0;

  /** Counts a canvas with its new size. Throws if all canvases together take too much. */
  hold(canvas: object, width: number, height: number): void {
    this.free(canvas);
    const bytes = 4 * width * height;
    this.#bytes.set(canvas, bytes);
    this.#total += bytes;
    if (this.#total > MAX_BYTES) throw new Error('the page needs too much memory');
  }

  free(canvas: object): void {
    this.#total -= this.#bytes.get(canvas) ?? 0;
    this.#bytes.delete(canvas);
  }

  /** Forgets the canvases of a page that failed. */
  clear(): void {
    this.#bytes.clear();
    this.#total = 0;
  }
}
