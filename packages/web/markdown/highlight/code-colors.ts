import { colorWorker } from './color-worker.ts';
import type { ColorReply, ColorRequest, LineColors } from './colors.ts';

/** Longer code is shown without colours. */
const MAX_LENGTH = 128 * 1024;
const MAX_LINES = 3_000;

/** A line of code with its colours; these are of the beginning of the line while it grows. */
export interface CodeLine {
  readonly text: string;
  readonly colors: LineColors;
}

const noColors: LineColors = [];

/** The lines of a text, with the colours that their beginnings had before. */
export const linesOf = (text: string, former: readonly CodeLine[]): readonly CodeLine[] =>
  text.split('\n').map((line, at) => {
    const known = former[at];
    if (known?.text === line) return known;
    return { text: line, colors: known && line.startsWith(known.text) ? known.colors : noColors };
  });

let blocks = 0;

/** The colours of one code block, whose text may grow. */
export class CodeColors {
  readonly block = (blocks += 1);
  readonly #language: string;
  readonly #onChange: (lines: readonly CodeLine[]) => void;
  /** The lines with the colours that are known. Unchanged lines stay the same objects. */
  #lines: readonly CodeLine[] = [];
  /** The texts that the worker has. */
  #sent: readonly string[] = [];
  #isPlain = false;
  /** Whether a worker has failed on it. */
  #hasFailed = false;
  #isClosed = false;

  constructor(language: string, onChange: (lines: readonly CodeLine[]) => void) {
    this.#language = language;
    this.#onChange = onChange;
  }

  update(text: string): void {
    if (this.#isClosed) return;
    this.#lines = linesOf(text, this.#lines);
    if (text.length > MAX_LENGTH || this.#lines.length > MAX_LINES) this.#isPlain = true;
    if (!this.#isPlain) colorWorker.want(this);
  }

  /** What the worker must know to colour the present text; undefined if it knows. */
  takeRequest(): ColorRequest | undefined {
    const texts = this.#lines.map(({ text }) => text);
    const changed = texts.findIndex((text, at) => text !== this.#sent[at]);
    if (this.#isPlain || (changed < 0 && texts.length === this.#sent.length)) return undefined;
    const kept = changed < 0 ? texts.length : changed;
    this.#sent = texts;
    return { block: this.block, language: this.#language, kept, lines: texts.slice(kept) };
  }

  /** The text may have grown since the request. */
  receive({ from, colors }: ColorReply): void {
    const lines = [...this.#lines];
    for (const [at, color] of colors.entries()) {
      const text = this.#sent[from + at];
      const line = lines[from + at];
      if (text !== undefined && line?.text.startsWith(text)) lines[from + at] = { text: line.text, colors: color };
    }
    this.#lines = lines;
    this.#onChange(lines);
  }

  /** The worker that had its lines has ended. */
  forget(): void {
    this.#sent = [];
  }

  /** A worker failed on this block: it is tried once more, then it stays plain. */
  failed(): void {
    this.#isPlain ||= this.#hasFailed;
    this.#hasFailed = true;
  }

  close(): void {
    this.#isClosed = true;
    colorWorker.drop(this);
  }
}
