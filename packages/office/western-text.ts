import { hasWesternWords } from './western-words.ts';

/** The share of the bytes above ASCII that must stand where Windows-1252 has them. */
const SURE = 0.9;

/** Letters that are words of their own: `à la`, `y ó`, `å`. */
const alone = new Set(Array.from('àáèéìíòóùúåöæøÀÁÈÉÌÍÒÓÚÅÖÆØ', (letter) => letter.charCodeAt(0)));
/** Letters that only Icelandic has, and other languages' encodings often have at the same places. */
const rare = new Set([0xd0, 0xdd, 0xde, 0xf0, 0xfd, 0xfe]);
/** Signs from 0x80 to 0x9f: the euro sign, dots, quotation marks, dashes, bullets and trade marks. */
const signs = new Set([
  0x80, 0x82, 0x84, 0x85, 0x86, 0x87, 0x89, 0x8b, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0x9b,
]);
const APOSTROPHE = 0x92;
/** Š, Œ and Ž, with small letters at 16 places further, and Ÿ. */
const others = new Set([0x8a, 0x8c, 0x8e, 0x9a, 0x9c, 0x9e, 0x9f]);
/** Letters for which Windows-1250, of Central Europe, has other ones: of the above Œ, œ and Ÿ, and õ, which is ő there. */
const doubtful = new Set([
  0x8c,
  0x9c,
  0x9f,
  ...Array.from('ÀÃÅÆÈÊÌÏÑÒÕØÙÛàãåæèêìïñòõøùû', (letter) => letter.charCodeAt(0)),
]);

const isAsciiLetter = (byte = 0): boolean => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
const isHighLetter = (byte = 0): boolean => others.has(byte) || (byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7);
const isCapital = (byte: number): boolean => byte < 0x90 || byte === 0x9f || (byte >= 0xc0 && byte <= 0xde);
const isSmall = (byte = 0): boolean => (byte >= 0x61 && byte <= 0x7a) || (byte >= 0xdf && byte !== 0xf7);

/**
 * Windows-1252 if a text is surely in it: its letters above ASCII stand inside words, its signs between them, and it has
 * Western words if its letters could be those of Windows-1250 too. Null if it has none: then it is in either. Undefined
 * if it is in neither.
 */
export function westernEncodingOf(bytes: Uint8Array): 'windows-1252' | null | undefined {
  let count = 0;
  let fitting = 0;
  let doubts = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte < 0x80) continue;
    count += 1;
    if (doubtful.has(byte)) doubts += 1;
    if (fits(byte, bytes[at - 1], bytes[at + 1])) fitting += 1;
  }
  if (count === 0 || fitting < SURE * count) return undefined;
  return doubts === 0 || hasWesternWords(new TextDecoder('windows-1252').decode(bytes), doubts) ? 'windows-1252' : null;
}

function fits(byte: number, before: number | undefined, after: number | undefined): boolean {
  const isInWord = isAsciiLetter(before) || isAsciiLetter(after);
  if (isHighLetter(byte)) {
    if (rare.has(byte)) return false;
    if (isCapital(byte) && isSmall(before)) return false;
    return isInWord || (alone.has(byte) && !isHighLetter(before) && !isHighLetter(after));
  }
  if (byte === APOSTROPHE) return true;
  const isBetweenLetters = isAsciiLetter(before) && isAsciiLetter(after);
  return (byte >= 0xa0 || signs.has(byte)) && !isBetweenLetters && !isHighLetter(before) && !isHighLetter(after);
}
