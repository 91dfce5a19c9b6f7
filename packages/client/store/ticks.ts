/**
 * Orders changes and requests: what changed here after a request was made may be missing in its answer, which must then
 * not overwrite it.
 */
export class Ticks {
  /** The number of changes so far: what a request is made at. */
  now = 0;
  readonly #changed = new Map<string, number>();

  touch(key: string): void {
    this.#changed.set(key, (this.now += 1));
  }

  isChanged(key: string, since: number): boolean {
    return (this.#changed.get(key) ?? 0) > since;
  }
}
