import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PassageSearch, termsOfQuestion, wordsIndex } from '../../rules/passage-index.ts';

/** An entry of the documentation's index: the text below a heading. */
export interface Passage {
  readonly page: string;
  readonly title: string;
  readonly address: string;
  readonly text: string;
}

/** What the guide quotes. */
export interface FoundPassage {
  readonly title: string;
  readonly address: string;
  readonly text: string;
}

export type FindPassage = (question: string) => FoundPassage | undefined;

/** Shorter words, such as `how` and `the`, are in nearly every passage. */
const MIN_WORD = 4;
/** Of a question with fewer words than that a passage would be a guess. */
const MIN_WORDS = 2;
const MAX_QUOTE = 280;

/** Words of questions that say nothing of what is asked. */
const empty = new Set([
  'what',
  'when',
  'where',
  'which',
  'does',
  'there',
  'with',
  'have',
  'this',
  'that',
  'about',
  'please',
]);

/** Finds the passage that has all words of a question, and most of them in its headings. */
export function passageFinder(passages: readonly Passage[]): FindPassage {
  const index = wordsIndex(passages.map(({ page, title, text }) => ({ heading: `${page} ${title}`, text })));
  return (question) => {
    const words = termsOfQuestion(question).filter((word) => word.length >= MIN_WORD && !empty.has(word));
    if (words.length < MIN_WORDS) return undefined;
    const search = new PassageSearch<null>(words);
    search.add(null, index);
    const found = search.best().filter(({ words: has }) => has === words.length);
    const best = found.toSorted((one, other) => other.inHeading - one.inHeading).at(0);
    const passage = best && passages[best.passage];
    return passage && quoted(passage);
  };
}

/** Text without anything that could be a mention, markup or a tag in Markdown. */
const plain = (given: string): string =>
  given
    .replaceAll(/[@<>`{}[\]*~|#\\]/g, '')
    .split(/\s+/)
    .join(' ')
    .trim();

function quoted({ page, title, address, text }: Passage): FoundPassage {
  const whole = plain(text);
  const cut = whole.slice(0, MAX_QUOTE);
  return {
    title: plain(title === page ? page : `${page} › ${title}`),
    address: `/docs/guide/${address}`,
    text: whole === cut ? whole : `${cut.slice(0, cut.lastIndexOf(' '))} …`,
  };
}

/** Pages about how the service is built, and calls of the API, which are no answers to questions about the app. */
const INTERNAL =
  /^(?:https?:|\/|(?:spec|packages|decisions|repository)\/|(?:spec|architecture|(?:\w+-)?comparison|add-an-operation|model-streams)\.html)/;

/** The index that packages/guide builds. */
const index = fileURLToPath(new URL('../../../guide/dist/search.json', import.meta.url));
let finder: FindPassage | undefined;

/** Finds passages of the documentation that the service serves; none if it is not built. It is read with the first use. */
export const findInDocs: FindPassage = (question) => {
  if (!finder) {
    const passages = existsSync(index) ? (JSON.parse(readFileSync(index, 'utf8')) as Passage[]) : []; // from the build
    finder = passageFinder(passages.filter(({ address }) => !INTERNAL.test(address)));
  }
  return finder(question);
};
