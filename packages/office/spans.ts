import type { Room } from './room.ts';
import type { Span } from './tree.ts';

type Look = Omit<Span, 'text'>;

/** Collects the text of a paragraph or a cell, and joins neighbours with the same look. */
export class Spans {
  readonly spans: Span[] = [];
  readonly #room: Room;

  constructor(room: Room) {
    this.#room = room;
  }

  add(text: string, look: Look = {}): void {
    const taken = this.#room.take(text);
    if (taken === '') return;
    const last = this.spans.at(-1);
    const isSame = last?.isBold === look.isBold && last?.isItalic === look.isItalic && last?.href === look.href;
    if (last && isSame) this.spans[this.spans.length - 1] = { ...last, text: last.text + taken };
    else this.spans.push({ text: taken, ...look });
  }

  /** Adds a line break, unless there is no text before it. */
  breakLine(): void {
    const last = this.spans.at(-1);
    if (!last) return;
    const { text: _text, ...look } = last;
    this.add('\n', look);
  }

  get isBlank(): boolean {
    return this.spans.every(({ text }) => text.trim() === '');
  }
}
