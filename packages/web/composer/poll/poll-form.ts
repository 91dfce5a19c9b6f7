// Sending a poll. May import: the rooms below composer.
import type { PollInput } from '@parley/protocol';
import { fits } from '@parley/protocol/byte-length';
import { limits } from '@parley/protocol/limits';
import { t } from '../../words/t.ts';

/** The options that have a text. */
export const filledIn = (options: readonly string[]): string[] =>
  options.map((option) => option.trim()).filter((option) => option !== '');

/** What the writer must change before the service takes the poll; null if nothing. */
export function problemOf({ question, options }: Pick<PollInput, 'question' | 'options'>): string | null {
  if (question === '') return t('Write a question.');
  if (!fits(question, limits.pollQuestionBytes)) return t('The question is too long. Shorten it.');
  if (options.length < 2) return t('Write at least two options.');
  if (new Set(options).size < options.length) return t('Two options are the same. Change one of them.');
  if (options.some((option) => !fits(option, limits.pollOptionBytes))) return t('An option is too long. Shorten it.');
  return null;
}
