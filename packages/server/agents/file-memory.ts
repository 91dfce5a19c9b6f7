/** Maximum bytes of files in requests that providers have not answered yet: of one human's, and of all. */
const MAX_OF_OWNER = 16 * 1024 * 1024;
const MAX_IN_ALL = 128 * 1024 * 1024;

/** Bounds the memory of files in open requests, most of which hold a few hundred kilobytes (CONTEXT-21). */
export class FileMemory {
  readonly #owners = new Map<number, number>();
  #used = 0;

  /** Takes memory. Returns false if there is not enough. */
  take(owner: number, bytes: number): boolean {
    const own = this.#owners.get(owner) ?? 0;
    if (own + bytes > MAX_OF_OWNER || this.#used + bytes > MAX_IN_ALL) return false;
    this.#change(owner, own + bytes);
    this.#used += bytes;
    return true;
  }

  release(owner: number, bytes: number): void {
    this.#change(owner, (this.#owners.get(owner) ?? 0) - bytes);
    this.#used -= bytes;
  }

  #change(owner: number, bytes: number): void {
    if (bytes > 0) this.#owners.set(owner, bytes);
    else this.#owners.delete(owner);
  }
}
