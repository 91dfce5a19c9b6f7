import { folded } from './folded.ts';

// How well names match what a person types. The service and its clients merge what they find, so both rank alike.

/** Scripts that are written without spaces: any character of a name may begin a word. */
const unspaced = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== '');

/**
 * Ranks names for a typed text, without regard to case and diacritics: 0 is the whole name, 1 its first words, 2 its
 * beginning, 3 a name in which every typed word begins a word, null no match. An empty text matches every name.
 */
export function nameRanker(typed: string): (name: string) => number | null {
  const wanted = folded(typed.trim());
  const words = [...new Set(wordsOf(wanted))];
  return (given) => {
    const name = folded(given);
    if (wanted === '' || name === wanted) return 0;
    if (name.startsWith(wanted)) return /^[\p{L}\p{N}\p{M}]/u.test(name.slice(wanted.length)) ? 2 : 1;
    if (words.length === 0) return null;
    const parts = wordsOf(name);
    const isIn = (word: string): boolean =>
      unspaced.test(word) ? name.includes(word) : parts.some((part) => part.startsWith(word));
    return words.every(isIn) ? 3 : null;
  };
}

/** The best rank among several names of one thing; null if none matches. */
export function bestRank(rank: (name: string) => number | null, names: readonly string[]): number | null {
  const ranks = names.map(rank).filter((one) => one !== null);
  return ranks.length === 0 ? null : Math.min(...ranks);
}
