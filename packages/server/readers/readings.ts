// What the readers' threads read: each reading gets and returns data, and takes nothing but time and memory.
import { libraryTextOfFile, libraryTextOfPage } from '../rules/library-text.ts';
import { readPage } from '../rules/page-text.ts';
import { withoutPictures } from '../rules/picture-events.ts';
import { readPictureAnswer } from '../rules/picture-answers.ts';
import { slackText } from '../rules/slack-message.ts';
import { readingOf } from '../rules/text-reading.ts';

export const readings = {
  /** What stands in the text of a message. */
  message: readingOf,
  /** The text of a post in Slack's form, given as JSON (WEBHOOK-5). */
  // Its fields are checked where they are read.
  post: (json: string): string => slackText(JSON.parse(json) as Readonly<Record<string, unknown>>),
  /** What the beginning of a page behind a link says (LINK-4). */
  page: readPage,
  /** What the library of an agent keeps of a file or a page (KNOW-3). */
  libraryFile: libraryTextOfFile,
  libraryPage: libraryTextOfPage,
  /** The picture in a vendor's answer (PICTURE-3). */
  picture: readPictureAnswer,
  /** A large event of a model's reply, with its pictures apart (PICTURE-6). */
  event: withoutPictures,
} as const;

export type ReadingName = keyof typeof readings;
export type Given<Name extends ReadingName> = Parameters<(typeof readings)[Name]>[0];
export type Found<Name extends ReadingName> = ReturnType<(typeof readings)[Name]>;

/** What a thread is sent. */
export interface ReadingTask {
  readonly name: ReadingName;
  readonly given: unknown;
}
