import type { ProviderEvent } from './provider.ts';

const OPENING = '<think>';
const CLOSING = '</think>';

/** Maximum characters of blank lines that are held back. */
const MAX_BLANK = 1_000;

type Piece = Extract<ProviderEvent, { type: 'text' | 'reasoning' }>;

/** The number of characters at the end of a text that may be the beginning of the tag. */
function begunTag(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1)
    if (tag.startsWith(text.slice(-length))) return length;
  return 0;
}

/**
 * Tells thoughts from text where a server leaves both in the content: between `<think>` at its very beginning and
 * `</think>` (PART-18). Holds back no more than could be a tag, or the blank lines around the thoughts.
 */
export class ThinkTags {
  #state: 'start' | 'thinking' | 'after' | 'text' = 'start';
  #held = '';
  #hasThought = false;

  /** True when all that follows is text. */
  get isOver(): boolean {
    return this.#state === 'text';
  }

  /** The pieces that are certain after more of the content. */
  *read(content: string): Generator<Piece> {
    let text = this.#held + content;
    this.#held = '';
    if (this.#state === 'start') {
      const begun = text.trimStart();
      if (begun.length < OPENING.length && OPENING.startsWith(begun)) {
        if (text.length - begun.length > MAX_BLANK) {
          this.#state = 'text';
          yield { type: 'text', text };
        } else this.#held = text;
        return;
      }
      if (!begun.startsWith(OPENING)) {
        this.#state = 'text';
        yield { type: 'text', text };
        return;
      }
      this.#state = 'thinking';
      text = begun.slice(OPENING.length);
    }
    if (this.#state === 'thinking') {
      if (!this.#hasThought) text = text.trimStart();
      const end = text.indexOf(CLOSING);
      const whole = text.slice(0, end < 0 ? text.length - begunTag(text, CLOSING) : end);
      // Blank lines before the end belong to neither.
      const trimmed = whole.trimEnd();
      const thought = end < 0 && whole.length - trimmed.length > MAX_BLANK ? whole : trimmed;
      this.#hasThought ||= thought !== '';
      if (thought !== '') yield { type: 'reasoning', text: thought };
      if (end < 0) {
        this.#held = text.slice(thought.length);
        return;
      }
      this.#state = 'after';
      text = text.slice(end + CLOSING.length);
    }
    const rest = text.trimStart();
    if (rest === '') return;
    this.#state = 'text';
    yield { type: 'text', text: rest };
  }

  /** What was held back when the content ends. */
  *end(): Generator<Piece> {
    if (this.#held === '') return;
    yield { type: this.#state === 'thinking' ? 'reasoning' : 'text', text: this.#held };
    this.#held = '';
  }
}
