// Finds passages by words: an index of a text's passages that is a text itself, so that any store holds it, and the
// order in which passages answer a question. The help's guide and the libraries of agents search with it.
import { fileTermsOf } from './file-terms.ts';
import { isUnspaced, wordsOf } from './search-words.ts';

/** Maximum words of a question that are looked up. */
const MAX_WORDS = 24;
/** Maximum words of the index that a word of a question finds, with the ones that begin alike. */
const MAX_ALIKE = 48;
/** Words that are shorter are found only as they are. */
const LEAST_STEM = 4;
/** Characters at the end in which two forms of a word may differ, of long words and of others. */
const ENDING = 3;
const SHORT_ENDING = 1;
const LONG = 7;
/** How much a word counts that goes on as the question's does not, or ends otherwise. */
const LONGER = 0.7;
const OTHERWISE = 0.4;
/** How often a word counts that stands in the heading. */
const IN_HEADING = 3;
/** The usual values of BM25: how soon a word counts no more, and how much long passages lose. */
const SATURATION = 1.2;
const LENGTH = 0.6;

/** Radix of the numbers in the index. */
const RADIX = 36;

interface Indexed {
  heading?: string;
  text: string;
}

/**
 * The index of passages: a line with the number of words of each, and a line for each word with the passages that have it
 * and how often, `+` if it is in their heading. Lines are in the order of their words.
 */
export function wordsIndex(passages: readonly Indexed[]): string {
  const found = new Map<string, string[]>();
  const lengths = passages.map(({ heading, text }, at) => {
    const counts = new Map<string, number>();
    let length = 0;
    for (const term of fileTermsOf(wordsOf(text))) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
      length += 1;
    }
    const above = new Set(heading === undefined ? [] : fileTermsOf(wordsOf(heading)));
    for (const term of above) if (!counts.has(term)) counts.set(term, 0);
    for (const [term, count] of counts) {
      const entry = `${at.toString(RADIX)}:${count.toString(RADIX)}${above.has(term) ? '+' : ''}`;
      const known = found.get(term);
      if (known) known.push(entry);
      else found.set(term, [entry]);
    }
    return length;
  });
  const lines = [...found.keys()].toSorted().map((term) => `${term} ${found.get(term)?.join(' ') ?? ''}`);
  return `${[lengths.map((length) => length.toString(RADIX)).join(' '), ...lines].join('\n')}\n`;
}

/** The words of a question as an index has them. Of scripts without spaces two characters in a row are one. */
export function termsOfQuestion(question: string): string[] {
  const words = Array.from(wordsOf(question), ({ term }) => term);
  const terms = words.flatMap((term, at) => {
    if (!isUnspaced(term)) return term;
    const [before = '', after = ''] = [words[at - 1], words[at + 1]];
    if (isUnspaced(before)) return before + term;
    return isUnspaced(after) ? [] : term;
  });
  return [...new Set(terms)].slice(0, MAX_WORDS);
}

/** How one passage has one word of a question. */
interface Hit {
  passage: number;
  /** How often, less for other forms of the word. */
  count: number;
  isInHeading: boolean;
  /** The word itself, or one that begins with it. */
  isWhole: boolean;
}

/** The passages of an index that have a word, or a form of it. */
function hitsOf(index: string, term: string): Hit[] {
  const hits = new Map<number, Hit>();
  const isStem = term.length >= LEAST_STEM && !isUnspaced(term);
  const stem = isStem ? term.slice(0, Math.max(LEAST_STEM, term.length - endingOf(term))) : term;
  let at = index.indexOf(`\n${stem}${isStem ? '' : ' '}`);
  for (let alike = 0; at !== -1 && alike < MAX_ALIKE; alike += 1) {
    const end = index.indexOf('\n', at + 1);
    const line = index.slice(at + 1, end === -1 ? undefined : end);
    if (!line.startsWith(stem)) break;
    const [word = '', ...entries] = line.split(' ');
    const weight = weightOf(word, term);
    if (weight > 0 && (isStem || word === term)) for (const entry of entries) add(hits, entry, weight);
    if (!isStem || end === -1 || end === index.length - 1) break;
    at = end;
  }
  return [...hits.values()];
}

const endingOf = (term: string): number => (term.length >= LONG ? ENDING : SHORT_ENDING);

function weightOf(word: string, term: string): number {
  if (word === term) return 1;
  if (word.startsWith(term)) return LONGER;
  return word.length <= term.length + endingOf(term) ? OTHERWISE : 0;
}

function add(hits: Map<number, Hit>, entry: string, weight: number): void {
  const [place = '', times = ''] = entry.split(':');
  const passage = Number.parseInt(place, RADIX);
  const isInHeading = times.endsWith('+');
  const count = weight * (Number.parseInt(times, RADIX) + (isInHeading ? IN_HEADING : 0));
  const known = hits.get(passage);
  if (known) {
    known.count += count;
    known.isInHeading ||= isInHeading;
    known.isWhole ||= weight >= LONGER;
  } else hits.set(passage, { passage, count, isInHeading, isWhole: weight >= LONGER });
}

/** A passage that has words of a question. */
export interface Found<Text> {
  of: Text;
  passage: number;
  score: number;
  /** How many of the question's words it has as they are, and how many its heading has. */
  words: number;
  inHeading: number;
}

/** Compares a question with one index after the other; the order counts in all of them together. */
export class PassageSearch<Text> {
  readonly #terms: readonly string[];
  /** In how many passages each word is. */
  readonly #frequency: number[];
  readonly #found: { of: Text; passage: number; length: number; hits: (Hit | undefined)[] }[] = [];
  #passages = 0;
  #length = 0;

  constructor(terms: readonly string[]) {
    this.#terms = terms;
    this.#frequency = terms.map(() => 0);
  }

  add(of: Text, index: string): void {
    const lengths = index
      .slice(0, index.indexOf('\n'))
      .split(' ')
      .map((length) => Number.parseInt(length, RADIX));
    this.#passages += lengths.length;
    for (const length of lengths) this.#length += length;
    const found = new Map<number, (Hit | undefined)[]>();
    for (const [at, term] of this.#terms.entries())
      for (const hit of hitsOf(index, term)) {
        const hits = found.get(hit.passage) ?? [];
        hits[at] = hit;
        found.set(hit.passage, hits);
        this.#frequency[at] = (this.#frequency[at] ?? 0) + 1;
      }
    for (const [passage, hits] of found) this.#found.push({ of, passage, length: lengths[passage] ?? 0, hits });
  }

  /** The passages, those first that answer best (BM25). */
  best(): Found<Text>[] {
    const mean = this.#length / this.#passages || 1;
    const rarity = this.#frequency.map((many) => Math.log(1 + (this.#passages - many + 0.5) / (many + 0.5)));
    return this.#found
      .map(({ of, passage, length, hits }) => {
        const penalty = SATURATION * (1 - LENGTH + (LENGTH * length) / mean);
        const found: Found<Text> = { of, passage, score: 0, words: 0, inHeading: 0 };
        for (const [at, hit] of hits.entries()) {
          if (!hit) continue;
          found.score += (rarity[at] ?? 0) * ((hit.count * (SATURATION + 1)) / (hit.count + penalty));
          if (hit.isWhole) found.words += 1;
          if (hit.isWhole && hit.isInHeading) found.inHeading += 1;
        }
        return found;
      })
      .toSorted((one, other) => other.score - one.score);
  }
}
