import type { OpenText } from '../rendering/messages.ts';
import type { Numbered } from './reply-view.ts';

/** What clients have of an open reply: it changes as the events of the reply get their numbers. */
export class NumberedReply implements Numbered {
  #open: OpenText;
  #textSeq = 0;
  #partSeq = 0;

  constructor(open: OpenText) {
    this.#open = open;
  }

  get open(): OpenText {
    return this.#open;
  }

  get textSeq(): number {
    return this.#textSeq;
  }

  get partSeq(): number {
    return this.#partSeq;
  }

  /** Clients have this text and these parts after an event of the text. */
  text(open: OpenText, seq: number): void {
    this.#textSeq = seq;
    this.#open = open;
  }

  /** Clients have these parts after an event of a part. */
  parts(parts: OpenText['parts'], revision: number, seq: number): void {
    this.#partSeq = seq;
    this.#open = { ...this.#open, revision, parts };
  }
}
