/** Maximum characters of a tool's input; of a longer one nothing is shown. */
const MAX_INPUT_CHARS = 64 * 1024;

/** The input of a tool that arrives in pieces of JSON. */
export class ToolInput {
  #pieces: string[] = [];
  #chars = 0;

  add(piece: string): void {
    this.#chars += piece.length;
    if (this.#chars > MAX_INPUT_CHARS) this.#pieces = [];
    else if (piece !== '') this.#pieces.push(piece);
  }

  get isEmpty(): boolean {
    return this.#chars === 0;
  }

  /** The value; if it is not JSON the text itself, and undefined if it was empty or too long. */
  value(): unknown {
    const json = this.#pieces.join('');
    if (json === '') return undefined;
    try {
      return JSON.parse(json) as unknown;
    } catch {
      return json;
    }
  }
}
