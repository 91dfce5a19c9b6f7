import { parleySkeleton } from './confusable-letters.ts';

/** The word that only the service's own accounts may have in their names. */
export const RESERVED_WORD = 'parley';

/** The error text for a refused name, after the name of its field. */
export const RESERVED = 'is reserved for the service itself';

/**
 * Whether a name could be mistaken for the service's own: one of its words contains `parley`, or several words in a row
 * spell it; letters that look alike count as equal (ACCT-9).
 */
export function isReservedName(name: string): boolean {
  const words = parleySkeleton(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return words.some((word) => word.includes(RESERVED_WORD)) || words.some((_, at) => spells(words.slice(at)));
}

/** Whether the first words, joined, are `parley`. */
function spells(words: readonly string[]): boolean {
  let text = '';
  for (const word of words) {
    text += word;
    if (!RESERVED_WORD.startsWith(text)) return false;
    if (text === RESERVED_WORD) return true;
  }
  return false;
}
