import { parleySkeleton } from './confusable-letters.ts';

/** The word that only the service's own accounts bear in their names. */
export const RESERVED_WORD = 'parley';

/** What a refused name is told, after the name of its field. */
export const RESERVED = 'is reserved for the service itself';

/**
 * Whether a name could pass for the service's own: a word of it contains `parley`, or some of its words in a row spell
 * it, also in letters that look like those of `parley` (ACCT-9).
 */
export function isReservedName(name: string): boolean {
  const words = parleySkeleton(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return words.some((word) => word.includes(RESERVED_WORD)) || words.some((_, at) => spells(words.slice(at)));
}

/** Whether the first words, written together, are `parley`. */
function spells(words: readonly string[]): boolean {
  let text = '';
  for (const word of words) {
    text += word;
    if (!RESERVED_WORD.startsWith(text)) return false;
    if (text === RESERVED_WORD) return true;
  }
  return false;
}
