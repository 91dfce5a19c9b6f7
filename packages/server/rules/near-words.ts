// Which words differ from a typed one by one letter (SEARCH-24). The letters of a word alone decide it, so a search
// learns nothing of the words that others use.

/** Letters at the beginning of a word that the index looks up. A mistake among them is looked up letter by letter. */
const HEAD = 3;
/** Minimum letters of a word in which a mistake is forgiven: shorter words have too many others beside them. */
const MIN_LENGTH = 5;

/** The letters that a mistyped letter may stand for, by script, as search folds them. */
const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'αβγδεζηθικλμνξοπρστυφχψω',
  'абвгдежзиклмнопрстуфхцчшщъыьэюя',
  'אבגדהוזחטיכלמנסעפצקרשת',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
];

/** The words beside a typed one. */
export interface NearWords {
  readonly term: string;
  /** Its first letters: a mistake behind them is found by comparing. */
  readonly head: string;
  /** With a mistake among the first letters: beginnings of words, and whole words. */
  readonly starts: ReadonlySet<string>;
  readonly whole: ReadonlySet<string>;
}

/** Undefined if a mistake in the word is not forgiven. */
export function nearWords(term: string): NearWords | undefined {
  if (Array.from(term).length < MIN_LENGTH || /\p{N}/u.test(term)) return undefined;
  const alphabet = Array.from(alphabets.find((letters) => letters.includes(term.charAt(0))) ?? '');
  const starts = new Set<string>();
  const whole = new Set<string>();
  for (let at = 0; at < HEAD; at += 1) {
    const [before, letter, after] = [term.slice(0, at), term.charAt(at), term.slice(at + 1)];
    whole.add(before + after);
    starts.add(before + after.charAt(0) + letter + after.slice(1));
    for (const other of alphabet) {
      starts.add(before + other + after);
      starts.add(before + other + letter + after);
    }
  }
  starts.delete(term);
  return { term, head: term.slice(0, HEAD), starts, whole };
}

/** Whether a word begins with the typed one, or would but for one letter that is wrong, missing, too many or swapped. */
export function isNear(found: string, { term, head, starts, whole }: NearWords): boolean {
  if (found.startsWith(head)) return isBehind(found, term);
  // A start is as long as the word, or longer by the letter that was forgotten.
  return whole.has(found) || starts.has(found.slice(0, term.length)) || starts.has(found.slice(0, term.length + 1));
}

/** Both words have the same first letters. */
function isBehind(found: string, term: string): boolean {
  let at = HEAD;
  while (at < term.length && found.charAt(at) === term.charAt(at)) at += 1;
  const [rest, wanted] = [found.slice(at), term.slice(at)];
  if (wanted === '') return true;
  // Of the last letter only a whole word is near: otherwise every word with the same beginning would be.
  if (wanted.length === 1) return rest.length <= 1 || rest.startsWith(wanted, 1);
  if (rest === wanted.slice(1) || rest.startsWith(wanted, 1) || rest.startsWith(wanted.slice(1), 1)) return rest !== '';
  return rest.startsWith(wanted.charAt(1) + wanted.charAt(0) + wanted.slice(2));
}
