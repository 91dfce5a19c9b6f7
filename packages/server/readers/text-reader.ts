import type { Clock } from '../core/clock.ts';
import { invalid } from '../core/errors.ts';
import type { SlimEvent } from '../rules/picture-events.ts';
import type { PictureAnswer, UnreadableAnswer } from '../rules/picture-answers.ts';
import { slackText } from '../rules/slack-message.ts';
import { isShort, readingOf, type TextReading, unread } from '../rules/text-reading.ts';
import { ReaderThread } from './reader-thread.ts';

/** Reads texts of messages before they are stored: a short one at once, a long one in a thread of its own (ERR-14). */
export class TextReader {
  readonly #thread: ReaderThread;

  constructor(clock: Clock, onFault: (error: Error) => void) {
    this.#thread = new ReaderThread(clock, onFault);
  }

  /** Mentions, links and actions of a text; none of a text that exceeds the limits. Rejects as ReaderThread does. */
  async read(text: string, ownerKey: number): Promise<TextReading> {
    if (isShort(text)) return readingOf(text);
    return (await this.#thread.run('message', text, ownerKey)) ?? unread;
  }

  /** The text of a post in Slack's form (WEBHOOK-5). Throws invalid_argument if making it exceeds the limits. */
  async textOfPost(post: Readonly<Record<string, unknown>>, ownerKey: number): Promise<string> {
    const { text: given, blocks, attachments } = post;
    const json = JSON.stringify({ text: given, blocks, attachments });
    if (isShort(json)) return slackText(post);
    const text = await this.#thread.run('post', json, ownerKey);
    if (text === null) throw invalid('body', 'takes too long to read');
    return text;
  }

  /** What stands in a vendor's answer to a request for a picture (PICTURE-3); null if reading it exceeds the limits. */
  pictureAnswer(body: Uint8Array, ownerKey: number): Promise<PictureAnswer | UnreadableAnswer | null> {
    return this.#thread.run('picture', body, ownerKey);
  }

  /** A large event of a model's reply, with its pictures apart (PICTURE-6); null if reading it exceeds the limits. */
  largeEvent(data: string): Promise<SlimEvent | 'none' | null> {
    return this.#thread.run('event', data, 0);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
