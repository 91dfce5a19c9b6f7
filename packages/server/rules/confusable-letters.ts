/**
 * Characters that look like a letter of `parley` and that NFKD does not decompose to it, as hexadecimal code points.
 * Taken from Unicode's confusables.txt, version 13 (UTS #39; © Unicode, Inc., Unicode License), with the small capitals
 * U+1D18, U+1D00, U+0280, U+029F and U+1D07 added. `i` stands in the row of `l`: a capital i looks like a small L.
 */
const rows: Readonly<Record<string, string>> = {
  p: '1a5 3a1 3c1 420 440 13e2 146d 1d18 1d7d 2374 2ca2 2ca3 a4d1 10295',
  a: '251 391 3b1 410 430 13aa 15c5 1d00 1e9a 2376 237a a4ee 102a0 16f40',
  r: '1a6 24d 27c 27d 280 433 493 13a1 13d2 1587 1d26 1d72 2c85 a4e3 ab47 ab48 ab81 104b4 16f35 1d216',
  l:
    '31 49 69 7c 131 141 142 196 197 19a 1c0 268 269 26a 26b 26d 29f 2db 37a 399 3b9 406 456 4c0 4cf 5c0 5d5 5df 627 ' +
    '661 673 6f1 7ca 13a5 13de 14aa 16c1 1d7b 1d7c 2223 2373 2378 23fd 2c92 2cd0 2d4f a4e1 a4f2 a647 ab75 ffe8 1028a ' +
    '10309 10320 1041b 10526 118a3 118b2 118c3 16f16 16f28 1d22a 1e8c7',
  e: '246 247 395 415 435 4bd 4bf 13ac 1d07 212e 22ff 2d39 a4f0 ab32 10286 118a6 118ae',
  y:
    '1b4 24e 24f 263 28f 3a5 3b3 423 443 4ae 4af 4b0 4b1 10e7 13a9 13bd 1d8c 1eff 2ca8 a4ec ab5a 102b2 118a4 118dc ' +
    '16f43',
};

const letterOf: ReadonlyMap<string, string> = new Map(
  Object.entries(rows).flatMap(([letter, codePoints]) =>
    codePoints.split(' ').map((code) => [String.fromCodePoint(Number.parseInt(code, 16)), letter] as const),
  ),
);

/** First code points of the alphabets in circles, in squares and of flags that NFKD leaves as they are. */
const enclosedAlphabets = [0x1_f150, 0x1_f170, 0x1_f1e6];

/**
 * `text` in lower case, with every character that looks like a letter of `parley` replaced by that letter (an i by an
 * l), without accents and invisible characters. Only for comparison, never displayed.
 */
export function parleySkeleton(text: string): string {
  const bare = text.normalize('NFKD').replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '');
  return Array.from(bare, (character) => lookalike(character).toLowerCase()).join('');
}

function lookalike(character: string): string {
  const letter = letterOf.get(character);
  if (letter !== undefined) return letter;
  const code = character.codePointAt(0) ?? 0;
  const first = enclosedAlphabets.find((start) => code >= start && code < start + 26);
  if (first === undefined) return character;
  const enclosed = String.fromCodePoint(0x41 + code - first);
  return letterOf.get(enclosed) ?? enclosed;
}
