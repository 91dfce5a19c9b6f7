import { isObject } from '../../rules/json-values.ts';

/** Maximum characters of the arguments of a call; of longer ones, only the beginning is kept. */
const MAX_CHARS = 256 * 1024;
const BEGINNING_CHARS = 1_000;
/** Maximum characters of an input that is shown. */
const MAX_SHOWN_CHARS = 64 * 1024;
/** Maximum depth of arguments: JSON that is much deeper cannot be written again. */
const MAX_DEPTH = 100;

/** The input of a tool that arrives in pieces of JSON. */
export class ToolInput {
  #pieces: string[] = [];
  #chars = 0;
  #isTooLong = false;

  add(piece: string): void {
    this.#chars += piece.length;
    if (piece === '' || this.#isTooLong) return;
    this.#pieces.push(piece);
    this.#isTooLong = this.#chars > MAX_CHARS;
    if (this.#isTooLong) this.#pieces = [`${this.#json.slice(0, BEGINNING_CHARS).toWellFormed()}…`];
  }

  get isEmpty(): boolean {
    return this.#chars === 0;
  }

  get isTooLong(): boolean {
    return this.#isTooLong;
  }

  /** What has arrived, as it is: '{}' for nothing, and the beginning of what is too long. */
  get text(): string {
    const json = this.#json;
    return json.trim() === '' ? '{}' : json;
  }

  /** The object that the text is; undefined if it is none. */
  object(): object | undefined {
    return this.isTooLong ? undefined : objectIn(this.text);
  }

  /** What is shown: the value; if it is not JSON the text itself, and undefined if it was empty or too long. */
  value(): unknown {
    if (this.isEmpty || this.#chars > MAX_SHOWN_CHARS) return undefined;
    const json = this.#json;
    try {
      return JSON.parse(json) as unknown;
    } catch {
      return json;
    }
  }

  get #json(): string {
    return this.#pieces.join('');
  }
}

/** The object that a text is; undefined if it is none, or too deep to be sent on. */
export function objectIn(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) && isShallow(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value can be written as JSON without filling the stack. */
export const isShallow = (value: unknown, depth = MAX_DEPTH): boolean =>
  typeof value !== 'object' || value === null
    ? true
    : depth > 0 && Object.values(value).every((item) => isShallow(item, depth - 1));
