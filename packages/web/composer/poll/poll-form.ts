// Sending a poll. May import: the rooms below composer.
import { fits, limits, type PollInput } from '@parley/protocol';

/** The options that have a text. */
export const filledIn = (options: readonly string[]): string[] =>
  options.map((option) => option.trim()).filter((option) => option !== '');

/** What the writer must change before the service takes the poll; null if nothing. */
export function problemOf({ question, options }: Pick<PollInput, 'question' | 'options'>): string | null {
  if (question === '') return 'Write a question.';
  if (!fits(question, limits.pollQuestionBytes)) return 'The question is too long. Shorten it.';
  if (options.length < 2) return 'Write at least two options.';
  if (new Set(options).size < options.length) return 'Two options are the same. Change one of them.';
  if (options.some((option) => !fits(option, limits.pollOptionBytes))) return 'An option is too long. Shorten it.';
  return null;
}
