import { folded } from '@parley/protocol/folded';
import { type Language, translations } from '@parley/protocol/languages';
import type { HelpTopic } from './help/topics.ts';
import { helpTexts, helpTopics } from './help-texts.ts';

const languages: readonly Language[] = ['en', ...translations];
/** Without blanks between words: a part of the question is looked for in all of it. */
const unspaced: ReadonlySet<Language> = new Set(['ja', 'zh']);
/** Shorter beginnings must be whole words. */
const MIN_STEM = 4;

/** The beginnings of words of each topic, as they are compared. */
const stemsOf: ReadonlyMap<Language, readonly (readonly string[])[]> = new Map(
  languages.map((language) => [
    language,
    helpTopics.map((topic) => helpTexts[language].topics[topic].words.split(' ').map((word) => folded(word))),
  ]),
);

interface Found {
  topic: HelpTopic | null;
  /** How many of its words the question has. */
  hits: number;
}

/** The topic of a question in a language: the one with the most words of it, on a tie the earlier one. */
export function topicIn(language: Language, question: string): Found {
  const text = folded(question);
  const asked = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const isAsked = (stem: string): boolean =>
    unspaced.has(language)
      ? text.includes(stem)
      : asked.some((word) => (stem.length < MIN_STEM ? word === stem : word.startsWith(stem)));
  let best: Found = { topic: null, hits: 0 };
  for (const [at, stems] of (stemsOf.get(language) ?? []).entries()) {
    const hits = stems.filter(isAsked).length;
    if (hits > best.hits) best = { topic: helpTopics[at] ?? null, hits };
  }
  return best;
}
